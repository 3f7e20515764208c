import type { Design } from './design.ts';
import { defaultConfidence } from './interval.ts';
import { median, quantile } from './quantile.ts';
import { oneSampleT, type TTest, welch } from './welch.ts';

/**
 * Student's t over launches: each launch gives one figure (its median, say) and launches are independent of each other, so
 * the test holds from 2 launches a group on, however alike the readings of one launch are (Ibragimov and Müller 2010,
 * "t-statistic based correlation and heterogeneity robust inference"). Paired groups by their differences, others by
 * Welch's test. null with fewer than 2 launches or when a launch's figure is not finite.
 */
export function launchTest(
  { kind, of, against }: Pick<Design, 'kind' | 'of' | 'against'>,
  figureOf: (values: readonly number[]) => number,
  confidence = defaultConfidence,
): TTest | null {
  const [first, second] = [of.map(figureOf), against.map(figureOf)];
  if (kind !== 'paired by launch') return welch(first, second, confidence);
  const differences = first.map((figure, launch) => figure - (second[launch] ?? Number.NaN));
  return oneSampleT(differences, confidence);
}

/** A launch's median. */
export function launchMedian(values: readonly number[]): number {
  return median(values) ?? Number.NaN;
}

/** The logarithm of a launch's median: differences of it are ratios. -Infinity for 0. */
export function launchLogMedian(values: readonly number[]): number {
  return Math.log(launchMedian(values));
}

/** Below this many readings a launch's spread says nothing. */
const fewestForSpread = 4;

/** The logarithm of the width of a launch's middle half; NaN with fewer than 4 readings, -Infinity without spread. */
export function launchLogSpread(values: readonly number[]): number {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  if (values.length < fewestForSpread || low === null || high === null) return Number.NaN;
  return Math.log(high - low);
}
