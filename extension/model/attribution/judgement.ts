import { type Answer, namesOf } from './answer.ts';
import type { Attribution } from '../run/sample.ts';

/** How a verdict stands to the truth, where that is known. */
export type Judgement = 'right' | 'coarse' | 'unknown' | 'wrong';

/** `coarse` is true and less detailed: `disk` for what a link prefetched, `service-worker` without where it took it from. */
export function judge(
  { source, detail }: Pick<Attribution, 'source' | 'detail'>,
  truth: Answer,
): Judgement {
  if (source === 'unknown') return 'unknown';
  const verdict = detail === undefined ? source : `${source}/${detail}`;
  if (verdict === truth) return 'right';
  return namesOf(truth).includes(verdict) ? 'coarse' : 'wrong';
}
