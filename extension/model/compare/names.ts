import { codingLabels, isCoding } from '../coding.ts';
import type { Factors } from './group.ts';

/** Names of two sides in sentences: the levels that distinguish them, or A and B without any. */
export function sideNames(against: Factors, of: Factors): [against: string, of: string] {
  const apart = factorsApart(against, of);
  const names = [against, of].map((levels) =>
    apart.map((factor) => levelName(levels[factor] ?? '')).join(', '),
  );
  const [first = '', second = ''] = names;
  return first === '' || second === '' ? ['A', 'B'] : [first, second];
}

/** The factors whose levels differ. */
export function factorsApart(against: Factors, of: Factors): string[] {
  const factors = [...new Set([...Object.keys(against), ...Object.keys(of)])];
  return factors.filter((factor) => against[factor] !== of[factor]);
}

/** A level as a word for sentences. */
export function levelName(level: string): string {
  return isCoding(level) ? codingLabels[level] : level;
}
