import type { Launches } from './design.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import { fewestLaunches, haveLogarithms, launchMedian, levelOf } from './launch-level.ts';
import { byLaunch, type Reading } from './readings.ts';
import { intervalAround, meanEstimate } from './welch.ts';

/** Why there is no interval. No interval is better than a wrong one. */
export type NoInterval = 'no usable readings' | 'too few launches';

/** The level of a group with its interval. */
export interface MedianEstimate {
  /**
   * In the unit of the readings: the geometric mean of the launches' medians (`levelOf`). null without readings or with
   * a reading that is not a finite number.
   */
  median: number | null;
  interval: Interval | null;
  /** Why `interval` is null; null when there is an interval. */
  noInterval: NoInterval | null;
  readings: number;
  launches: number;
}

/** The level with its interval: Student's t over the logarithms of the launches' medians, from 3 launches on. */
export function medianInterval(
  readings: readonly Reading[],
  confidence = defaultConfidence,
): MedianEstimate {
  const launches = [...byLaunch(readings).values()];
  const level = levelOf(launches);
  const interval = level === null ? null : launchInterval(launches, confidence);
  const without = level === null ? 'no usable readings' : 'too few launches';
  const noInterval = interval === null ? without : null;
  return {
    median: level,
    interval,
    noInterval,
    readings: readings.length,
    launches: launches.length,
  };
}

function launchInterval(launches: Launches, confidence: number): Interval | null {
  if (launches.length < fewestLaunches) return null;
  const medians = launches.map(launchMedian);
  const logarithmic = haveLogarithms(medians);
  const estimate = meanEstimate(logarithmic ? medians.map(Math.log) : medians);
  if (estimate === null) return null;
  const { low, high } = intervalAround(estimate, confidence);
  return logarithmic ? { low: Math.exp(low), high: Math.exp(high) } : { low, high };
}
