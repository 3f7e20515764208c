import { codingLabels, isCoding } from '../coding.ts';
import type { Factors } from './group.ts';

/** Names of two sides in sentences: the levels that distinguish them, or A and B without any. */
export function sideNames(against: Factors, of: Factors): [against: string, of: string] {
  const apart = factorsApart(against, of);
  const [first, second] = [against, of].map((levels) => levelNames(apart, levels).join(', '));
  if (first && second) return [first, second];
  // One side has a level that the other does without: `DCB` and `DCB recompressed`.
  const [plain, further] = [against, of].map((levels) =>
    levelNames(['arm', ...apart], levels).join(' '),
  );
  return plain && further && plain !== further ? [plain, further] : ['A', 'B'];
}

function levelNames(factors: readonly string[], levels: Factors): string[] {
  return factors.flatMap((factor) => levelName(levels[factor] ?? '') || []);
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
