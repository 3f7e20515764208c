import { type Answer, namesOf, verdictName } from './answer.ts';
import type { Attribution } from '../run/sample.ts';

/** How a verdict compares with the known truth. */
export type Judgement = 'right' | 'coarse' | 'unknown' | 'wrong';

/**
 * `coarse` is true but less detailed: `disk` for a prefetched response, `service-worker` without the source of its
 * response.
 */
export function judge(
  attribution: Pick<Attribution, 'source' | 'detail'>,
  truth: Answer,
): Judgement {
  if (attribution.source === 'unknown') return 'unknown';
  const verdict = verdictName(attribution);
  if (verdict === truth) return 'right';
  return namesOf(truth).includes(verdict) ? 'coarse' : 'wrong';
}
