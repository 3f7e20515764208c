import type { Design } from './design.ts';
import { sortedFinite } from './quantile.ts';

/** Overlap of two groups, by ranks: independent of the distribution and of the unit. */
export interface RankEffect {
  /**
   * Common-language effect size (McGraw and Wong 1992): the probability that a value of the first group is greater than
   * one of the second, with ties counted half. 0 to 1; 0.5 when neither group tends to be greater.
   */
  greaterShare: number;
  /** Share of the pairs that are tied. */
  tiedShare: number;
}

/**
 * Rank effect of two groups. When they are paired, values are compared only with those of the same launch, so launch
 * effects cancel; otherwise with all. null when there is no pair or a value is not finite.
 */
export function rankEffect({ kind, of, against }: Design): RankEffect | null {
  const strata =
    kind === 'paired by launch'
      ? of.map((values, launch) => [values, against[launch] ?? []] as const)
      : [[of.flat(), against.flat()] as const];
  let [greater, tied, pairs] = [0, 0, 0];
  for (const [values, others] of strata) {
    const [first, second] = [sortedFinite(values), sortedFinite(others)];
    if (first === null || second === null) return null;
    // For each value of the first, how many values of the second are less, and how many at most equal.
    let [below, upTo] = [0, 0];
    for (const value of first) {
      while ((second[below] ?? Infinity) < value) below++;
      while ((second[upTo] ?? Infinity) <= value) upTo++;
      greater += below;
      tied += upTo - below;
    }
    pairs += first.length * second.length;
  }
  if (pairs === 0) return null;
  const greaterShare = (greater + tied / 2) / pairs;
  return { greaterShare, tiedShare: tied / pairs };
}
