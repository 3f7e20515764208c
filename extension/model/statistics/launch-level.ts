import { isIndependent, type Launches } from './design.ts';
import { median, quartiles } from './quantile.ts';
import { byLaunch, type Reading, valuesOf } from './readings.ts';

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
  // A resample may have a median of 0: its logarithm is -Infinity, and the mean is 0.
  const sum = values.reduce((total, value) => total + (logarithmic ? Math.log(value) : value), 0);
  return logarithmic ? Math.exp(sum / values.length) : sum / values.length;
}

/**
 * The level of a group: the geometric mean of its launches' medians, with any number of launches, so that every launch
 * has the same weight and the difference of two levels is the mean of the launches' differences. For one launch it is
 * the median. null without values or with a value that is not finite.
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

/** The level of a group of readings; their median when no two share a launch. */
export function levelOfReadings(readings: readonly Reading[]): number | null {
  return levelOf(strataOf(readings));
}

/** The values of each launch. When no two values share a launch, they are one group of independent values. */
export function strataOf(readings: readonly Reading[]): Launches {
  const launches = [...byLaunch(readings).values()];
  return isIndependent(launches) ? [valuesOf(readings)] : launches;
}

/** The spread of a launch is unknown with fewer readings. */
const fewestForSpread = 4;

/** The logarithm of a launch's interquartile range; NaN with fewer than 4 readings, -Infinity without spread. */
export function launchLogSpread(values: readonly number[]): number {
  const quarters = values.length < fewestForSpread ? null : quartiles(values);
  return quarters ? Math.log(quarters.high - quarters.low) : Number.NaN;
}
