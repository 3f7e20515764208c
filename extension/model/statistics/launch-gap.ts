import type { Design } from './design.ts';
import { fewestLaunches, haveLogarithms, launchMedian, meanOf } from './launch-level.ts';
import { type Estimate, meanEstimate, welch } from './welch.ts';

/** Two levels whose difference is below this share of the larger one differ only by floating-point rounding. */
export const residue = 1e-12;

export function settled(value: number, least: number): number {
  return Math.abs(value) < least ? 0 : value;
}

/**
 * Difference of two levels, in the unit of the readings, with its error, by Student's t over launches. Each launch contributes one observation, its median, and launches are independent of each
 * other. The standard error is therefore valid however correlated the readings of one launch are (Ibragimov and Müller
 * 2010, "t-statistic based correlation and heterogeneity robust inference"). The levels are geometric means, because
 * launch effects are multiplicative, and the error of their difference follows from the logarithms (delta method). null
 * with fewer than 3 launches of a group or with a median that is not finite.
 */
export function launchGap({
  kind,
  of,
  against,
}: Pick<Design, 'kind' | 'of' | 'against'>): Estimate | null {
  const [first, second] = [of.map(launchMedian), against.map(launchMedian)];
  const logarithmic = haveLogarithms(first, second);
  const [level, baseline] = [meanOf(first, logarithmic), meanOf(second, logarithmic)];
  const scaled = (values: readonly number[], weight: number): readonly number[] =>
    logarithmic ? values.map((value) => weight * Math.log(value)) : values;
  const difference = launchDifference(kind, scaled(first, level), scaled(second, baseline));
  if (difference === null) return null;
  return { ...difference, value: settled(level - baseline, residue * Math.max(level, baseline)) };
}

/**
 * Mean difference of two groups with one value per launch: within launches when paired, otherwise by Welch's method. null
 * with fewer than 3 launches of a group or with a value that is not finite.
 */
export function launchDifference(
  kind: Design['kind'],
  of: readonly number[],
  against: readonly number[],
): Estimate | null {
  if (Math.min(of.length, against.length) < fewestLaunches) return null;
  if (kind !== 'paired by launch') return welch(of, against);
  return meanEstimate(of.map((value, launch) => value - (against[launch] ?? Number.NaN)));
}
