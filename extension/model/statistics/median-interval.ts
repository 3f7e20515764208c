import type { Launches } from './design.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import { haveLogarithms, launchMedian, levelOf, strataOf } from './launch-level.ts';
import { orderStatisticInterval } from './order-statistics.ts';
import { byLaunch, type Reading } from './readings.ts';
import type { ResamplingOptions } from './resampling.ts';
import { levelOfStrata } from './strata-bootstrap.ts';
import { intervalAround, meanEstimate } from './welch.ts';

/** Method of an interval; each is documented where it is implemented. */
export type IntervalMethod = 'order statistics' | 't over launches' | 'bootstrap';

/** Why there is no interval. No interval is better than a wrong one. */
export type NoInterval = 'no usable readings' | 'too few readings' | 'too few launches';

/** A median with its interval. */
export interface MedianEstimate {
  /**
   * In the unit of the readings: the median; when readings share launches, the mean of the launches' medians (see
   * `levelOf`). null without readings or with a reading that is not a finite number.
   */
  median: number | null;
  interval: Interval | null;
  method: IntervalMethod | null;
  /** Why `interval` is null; null when there is an interval. */
  noInterval: NoInterval | null;
  readings: number;
  launches: number;
}

/**
 * The least number of readings of either group for an interval: the range of 5 values covers the median in only 94 %.
 */
export const fewestReadings = 6;

/**
 * The median with its interval. Independent readings: from order statistics, which cover 95 % at any size. Readings
 * that share launches: Student's t over the logarithms of the launches' medians, with any number of launches. For scope
 * `these launches`: a bootstrap of the readings within each launch. One launch: no interval, unless the scope is these
 * launches; then from order statistics.
 */
export function medianInterval(
  readings: readonly Reading[],
  options: ResamplingOptions,
): MedianEstimate {
  const taken = byLaunch(readings).size;
  const launches = strataOf(readings);
  const estimate = levelOf(launches);
  const found =
    estimate === null
      ? without('no usable readings')
      : intervalOf(launches, launches.length < taken, options);
  return { median: estimate, ...found, readings: readings.length, launches: taken };
}

type Found = Pick<MedianEstimate, 'interval' | 'method' | 'noInterval'>;

function without(noInterval: NoInterval): Found {
  return { interval: null, method: null, noInterval };
}

/** The interval by this method; without one, the reason. */
function by(method: IntervalMethod, interval: Interval | null, noInterval: NoInterval): Found {
  return interval === null ? without(noInterval) : { interval, method, noInterval: null };
}

function intervalOf(launches: Launches, independent: boolean, options: ResamplingOptions): Found {
  const { confidence = defaultConfidence, scope = 'any launch' } = options;
  const values = launches.flat();
  const ofValues = orderStatisticInterval(values, confidence);
  if (values.length < fewestReadings || ofValues === null) return without('too few readings');
  if (independent || (scope === 'these launches' && launches.length === 1))
    return by('order statistics', ofValues, 'too few readings');
  return scope === 'these launches'
    ? by('bootstrap', levelOfStrata(launches, options), 'no usable readings')
    : by('t over launches', launchInterval(launches, confidence), 'too few launches');
}

function launchInterval(launches: Launches, confidence: number): Interval | null {
  const medians = launches.map(launchMedian);
  const logarithmic = haveLogarithms(medians);
  const estimate = meanEstimate(logarithmic ? medians.map(Math.log) : medians);
  if (estimate === null) return null;
  const { low, high } = intervalAround(estimate, confidence);
  return logarithmic ? { low: Math.exp(low), high: Math.exp(high) } : { low, high };
}
