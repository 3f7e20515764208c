import type { Design } from './design.ts';
import { haveLogarithms, launchMedian, meanOf } from './launch-level.ts';
import { type Estimate, meanEstimate, welch } from './welch.ts';

/** Difference between two groups, from the medians of their launches only. */
export interface LaunchGap {
  /** Difference of the groups' levels, in the unit of the readings. */
  difference: Estimate;
  /** Logarithm of the ratio of the levels; null when a launch's median is 0. */
  logRatio: Estimate | null;
  /** Number of launches of the smaller group. */
  launches: number;
  /** Mean of the two levels, in the unit of the readings. */
  middle: number;
}

/** Two levels whose difference is below this share of the larger one differ only by floating-point rounding. */
export const residue = 1e-12;

export function settled(value: number, least: number): number {
  return Math.abs(value) < least ? 0 : value;
}

/**
 * Student's t over launches. Each launch contributes one observation, its median, and launches are independent of each
 * other. The standard error is therefore valid from 2 launches per group, however correlated the readings of one launch
 * are (Ibragimov and Müller 2010, "t-statistic based correlation and heterogeneity robust inference"). Computed on
 * logarithms, because launch effects are multiplicative. The difference is derived from them (delta method), so that
 * difference and ratio have the same sign. null with fewer than 2 launches or with a median that is not finite.
 */
export function launchGap({
  kind,
  of,
  against,
}: Pick<Design, 'kind' | 'of' | 'against'>): LaunchGap | null {
  const [first, second] = [of.map(launchMedian), against.map(launchMedian)];
  const logarithmic = haveLogarithms(first, second);
  const [level, baseline] = [meanOf(first, logarithmic), meanOf(second, logarithmic)];
  const [one, other] = logarithmic ? [first.map(Math.log), second.map(Math.log)] : [first, second];
  const [weight, otherWeight] = logarithmic ? [level, baseline] : [1, 1];
  const difference = launchDifference(
    kind,
    one.map((value) => weight * value),
    other.map((value) => otherWeight * value),
  );
  const logRatio = launchDifference(kind, one, other);
  if (difference === null || logRatio === null) return null;
  const value = settled(level - baseline, residue * Math.max(level, baseline));
  const logValue = value === 0 ? 0 : Math.log(level / baseline);
  return {
    difference: { ...difference, value },
    logRatio: logarithmic ? { ...logRatio, value: logValue } : null,
    launches: Math.min(first.length, second.length),
    middle: meanOf([level, baseline], logarithmic),
  };
}

/**
 * Mean difference of two groups with one value per launch: within launches when paired, otherwise by Welch's method.
 */
export function launchDifference(
  kind: Design['kind'],
  of: readonly number[],
  against: readonly number[],
): Estimate | null {
  if (kind !== 'paired by launch') return welch(of, against);
  return meanEstimate(of.map((value, launch) => value - (against[launch] ?? Number.NaN)));
}
