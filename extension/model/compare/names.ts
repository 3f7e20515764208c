import { codingLabels, isCoding } from '../coding.ts';
import type { Factors } from './group.ts';

/** What sentences call two sides: by the levels that tell them apart, or A and B when none does. */
export function sideNames(against: Factors, of: Factors): [against: string, of: string] {
  const factors = [...new Set([...Object.keys(against), ...Object.keys(of)])];
  const apart = factors.filter((factor) => against[factor] !== of[factor]);
  const names = [against, of].map((levels) =>
    apart.map((factor) => levelName(levels[factor] ?? '')).join(', '),
  );
  const [first = '', second = ''] = names;
  return first === '' || second === '' ? ['A', 'B'] : [first, second];
}

/** The word of a level in a sentence. */
export function levelName(level: string): string {
  return isCoding(level) ? codingLabels[level] : level;
}
