import type { Launches } from './design.ts';
import { median } from './quantile.ts';
import { byLaunch, type Reading } from './readings.ts';

/**
 * The least number of launches from which anything is inferred about other launches. Two show how far apart those two
 * are: Student's t is then 12.7, and an interval too wide for any use.
 */
export const fewestLaunches = 3;

/** Median of a launch; NaN without values or with a value that is not finite. */
export function launchMedian(values: readonly number[]): number {
  return median(values) ?? Number.NaN;
}

/** True when the values of all launches can be averaged as logarithms, as ratios require: each is above 0. */
export function haveLogarithms(...groups: readonly (readonly number[])[]): boolean {
  return groups.every((values) => values.every((value) => value > 0));
}

/**
 * Mean of one value per launch: geometric when `logarithmic` (launch effects on times are multiplicative), arithmetic
 * when a value is 0 and has no logarithm. NaN without values.
 */
export function meanOf(values: readonly number[], logarithmic: boolean): number {
  const [only = Number.NaN] = values;
  if (values.length < 2) return only;
  const sum = values.reduce((total, value) => total + (logarithmic ? Math.log(value) : value), 0);
  return logarithmic ? Math.exp(sum / values.length) : sum / values.length;
}

/**
 * The level of a group: the geometric mean of its launches' medians, with any number of launches and of readings in each,
 * so that every launch has the same weight and a gap is the difference of two levels. For one launch it is the median.
 * null without values or with a value that is not finite.
 */
export function levelOf(launches: Launches): number | null {
  return levelsOf([launches])[0] ?? null;
}

/** The levels of groups to compare: all on logarithms, or none. */
export function levelsOf(groups: readonly Launches[]): (number | null)[] {
  const medians = groups.map((launches) => launches.map(launchMedian));
  const logarithmic = haveLogarithms(...medians.filter((own) => own.every(Number.isFinite)));
  return medians.map((own) => {
    const level = meanOf(own, logarithmic);
    return Number.isFinite(level) ? level : null;
  });
}

/** The level of a group of readings. */
export function levelOfReadings(readings: readonly Reading[]): number | null {
  return levelOf([...byLaunch(readings).values()]);
}
