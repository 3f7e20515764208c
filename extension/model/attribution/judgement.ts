import { type Answer, namesOf } from './answer.ts';
import type { Attribution } from '../run/sample.ts';

/** How a verdict compares with the known truth. */
export type Judgement = 'right' | 'coarse' | 'unknown' | 'wrong';

/**
 * `coarse` is true but less detailed: `disk` for a prefetched response, `service-worker` without the source of its
 * response.
 */
export function judge(
  { source, detail }: Pick<Attribution, 'source' | 'detail'>,
  truth: Answer,
): Judgement {
  if (source === 'unknown') return 'unknown';
  const verdict = detail === undefined ? source : `${source}/${detail}`;
  if (verdict === truth) return 'right';
  return namesOf(truth).includes(verdict) ? 'coarse' : 'wrong';
}
