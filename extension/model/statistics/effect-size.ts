import { gammaln, mean, sampleVariance } from 'simple-statistics';
import type { Launches } from './design.ts';
import { areFinite, sortedFinite } from './quantile.ts';

/** Overlap of two groups, by ranks: independent of the distribution and of the unit. */
export interface RankEffect {
  /**
   * Common-language effect size (McGraw and Wong 1992): the probability that a value of the first group is greater than
   * one of the second, with ties counted half. 0 to 1; 0.5 when neither group tends to be greater.
   */
  greaterShare: number;
  /** Share of the pairs that are tied. */
  tiedShare: number;
  /**
   * Cliff's delta (1993): -1 when every value of the first group is less than every one of the second, 1 when every one
   * is greater.
   */
  cliffsDelta: number;
  size: EffectSize;
}

/** Bands of |Cliff's delta|: below .15, .33, .47, and above (as Mozilla's PerfCompare; Romano et al. 2006 use .147). */
export type EffectSize = 'negligible' | 'small' | 'moderate' | 'large';

/**
 * Rank effect of two groups, given by launch. When `paired`, values are compared only with those of the same launch, so
 * launch effects cancel; otherwise with all. null when there is no pair or a value is not finite.
 */
export function rankEffect(of: Launches, against: Launches, paired: boolean): RankEffect | null {
  const strata = paired
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
  const cliffsDelta = 2 * greaterShare - 1;
  return { greaterShare, tiedShare: tied / pairs, cliffsDelta, size: effectSize(cliffsDelta) };
}

/** The word for |Cliff's delta|. */
export function effectSize(cliffsDelta: number): EffectSize {
  const size = Math.abs(cliffsDelta);
  if (size < 0.15) return 'negligible';
  if (size < 0.33) return 'small';
  return size < 0.47 ? 'moderate' : 'large';
}

/** The difference of two means in standard deviations. */
export interface StandardizedDifference {
  /** Cohen's d (1988), with the pooled standard deviation. */
  cohensD: number;
  /** Hedges' g (1981): d corrected for its bias in small groups. */
  hedgesG: number;
}

/** null with fewer than 2 values in a group, with a value that is not finite, or when neither group has any spread. */
export function standardizedDifference(
  first: readonly number[],
  second: readonly number[],
): StandardizedDifference | null {
  const [n, m] = [first.length, second.length];
  if (n < 2 || m < 2 || !areFinite(first) || !areFinite(second)) return null;
  const freedom = n + m - 2;
  const pooled =
    ((n - 1) * sampleVariance([...first]) + (m - 1) * sampleVariance([...second])) / freedom;
  if (!(pooled > 0)) return null;
  const cohensD = (mean([...first]) - mean([...second])) / Math.sqrt(pooled);
  return { cohensD, hedgesG: cohensD * hedgesCorrection(freedom) };
}

function hedgesCorrection(freedom: number): number {
  return Math.exp(gammaln(freedom / 2) - gammaln((freedom - 1) / 2)) / Math.sqrt(freedom / 2);
}
