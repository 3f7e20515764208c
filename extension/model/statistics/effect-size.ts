import { gammaln, mean, sampleVariance } from 'simple-statistics';
import { mannWhitney } from './mann-whitney.ts';
import { areFinite } from './quantile.ts';

/** How much two groups overlap, by ranks: needs no normal values and no unit. */
export interface RankEffect {
  /**
   * Common-language effect size (McGraw and Wong 1992): the chance that a value of the first group is greater than one of
   * the second, equal ones counting half. 0 to 1; 0.5 when neither has the edge.
   */
  greaterShare: number;
  /** Cliff's delta (1993): -1 when every value of the first group is less, 1 when every one is greater. */
  cliffsDelta: number;
  size: EffectSize;
}

/** Bands of |Cliff's delta|: below .15, .33, .47, and beyond (as Mozilla's PerfCompare; Romano et al. 2006 have .147). */
export type EffectSize = 'negligible' | 'small' | 'moderate' | 'large';

/** null when a group is empty or has a value that is not finite. */
export function rankEffect(first: readonly number[], second: readonly number[]): RankEffect | null {
  const test = mannWhitney(first, second);
  return test && rankEffectOf(test.u, first.length * second.length);
}

/** The same from the U of a Mann-Whitney test and its number of pairs. */
export function rankEffectOf(u: number, pairs: number): RankEffect {
  const greaterShare = u / pairs;
  const cliffsDelta = 2 * greaterShare - 1;
  return { greaterShare, cliffsDelta, size: effectSize(cliffsDelta) };
}

/** The word for a Cliff's delta of either sign. */
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
  /** Hedges' g (1981): d without its bias in small groups. */
  hedgesG: number;
}

/** null with fewer than 2 values in a group, with one that is not finite, or when neither group has any spread. */
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
