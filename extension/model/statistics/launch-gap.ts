import type { Design } from './design.ts';
import { haveLogarithms, launchMedian, meanOf } from './launch-level.ts';
import { type Estimate, meanEstimate, welch } from './welch.ts';

/** How two groups differ, from the medians of their launches alone. */
export interface LaunchGap {
  /** Of the groups' levels, in the unit of the readings. */
  difference: Estimate;
  /** Logarithm of their ratio; null when a launch's median is 0. */
  logRatio: Estimate | null;
  /** Launches of the smaller group. */
  launches: number;
  /** Between the two levels, in the unit of the readings. */
  middle: number;
}

/**
 * Student's t over launches: each launch gives one figure, its median, and launches are independent of each other, so the
 * error holds from 2 launches a group on, however alike the readings of one launch are (Ibragimov and Müller 2010,
 * "t-statistic based correlation and heterogeneity robust inference"). On logarithms, since what a launch does is a share;
 * the difference follows from them (delta method), so that both have one sign. null with fewer than 2 launches or a median
 * that is not finite.
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
    one.map((figure) => weight * figure),
    other.map((figure) => otherWeight * figure),
  );
  const logRatio = launchDifference(kind, one, other);
  if (difference === null || logRatio === null) return null;
  return {
    difference: { ...difference, value: level - baseline },
    logRatio: logarithmic ? { ...logRatio, value: Math.log(level / baseline) } : null,
    launches: Math.min(first.length, second.length),
    middle: meanOf([level, baseline], logarithmic),
  };
}

/** Mean difference of two groups' figures, one a launch: within launches where they are paired, by Welch's method otherwise. */
export function launchDifference(
  kind: Design['kind'],
  of: readonly number[],
  against: readonly number[],
): Estimate | null {
  if (kind !== 'paired by launch') return welch(of, against);
  return meanEstimate(of.map((figure, launch) => figure - (against[launch] ?? Number.NaN)));
}
