import { isIndependent, type Launches } from './design.ts';
import { median, quantile } from './quantile.ts';
import { byLaunch, type Reading, valuesOf } from './readings.ts';

/** A launch's median; NaN without values or with one that is not finite. */
export function launchMedian(values: readonly number[]): number {
  return median(values) ?? Number.NaN;
}

/** True when the figures of all launches can be averaged as logarithms, as ratios ask: each is above 0. */
export function haveLogarithms(...groups: readonly (readonly number[])[]): boolean {
  return groups.every((figures) => figures.every((figure) => figure > 0));
}

/**
 * The mean of some launches' figures: geometric (of times, what launches do is a share), arithmetic when `logarithmic` is
 * false because one of them is 0. NaN without figures.
 */
export function meanOf(figures: readonly number[], logarithmic: boolean): number {
  const [only = Number.NaN] = figures;
  if (figures.length < 2) return only;
  // A resample may have a median of 0: its logarithm is infinite, and the mean is 0.
  const sum = figures.reduce(
    (total, figure) => total + (logarithmic ? Math.log(figure) : figure),
    0,
  );
  return logarithmic ? Math.exp(sum / figures.length) : sum / figures.length;
}

/**
 * The level of a group: the geometric mean of its launches' medians, whatever the number of launches, so that every launch
 * counts alike and differences of levels are means of the launches' gaps. Of one launch it is the median. null without
 * values or with one that is not finite.
 */
export function levelOf(launches: Launches): number | null {
  return levelsOf([launches])[0] ?? null;
}

/** The levels of groups that are compared: all of them on logarithms, or none. */
export function levelsOf(groups: readonly Launches[]): (number | null)[] {
  const medians = groups.map((launches) => launches.map(launchMedian));
  const logarithmic = haveLogarithms(...medians.filter((own) => own.every(Number.isFinite)));
  return medians.map((own) => {
    const level = meanOf(own, logarithmic);
    return Number.isFinite(level) ? level : null;
  });
}

/** The level of a group of readings: where no two share a launch, their median. */
export function levelOfReadings(readings: readonly Reading[]): number | null {
  return levelOf(strataOf(readings));
}

/** The values of each launch; those that share none are one group of independent values. */
export function strataOf(readings: readonly Reading[]): Launches {
  const launches = [...byLaunch(readings).values()];
  return isIndependent(launches) ? [valuesOf(readings)] : launches;
}

/** Below this many readings a launch's spread says nothing. */
const fewestForSpread = 4;

/** The logarithm of the width of a launch's middle half; NaN with fewer than 4 readings, -Infinity without spread. */
export function launchLogSpread(values: readonly number[]): number {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  if (values.length < fewestForSpread || low === null || high === null) return Number.NaN;
  return Math.log(high - low);
}
