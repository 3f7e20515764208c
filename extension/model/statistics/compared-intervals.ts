import type { Values } from './as-independent.ts';
import { type Design, isIndependentIn } from './design.ts';
import { hull, type Interval } from './interval.ts';
import { launchLogMedian, launchMedian, launchTest } from './launch-test.ts';
import {
  type DifferenceIntervals,
  differenceOfLaunches,
  differenceOfValues,
} from './median-difference.ts';
import {
  fewestLaunchesToResample,
  fewestReadings,
  type IntervalMethod,
  type NoInterval,
  type ResamplingOptions,
} from './median-interval.ts';

/** The intervals of a comparison, and how they were made or why they were not. */
export interface ComparedIntervals {
  /** Of the difference of the medians, in the unit of the readings. */
  differenceInterval: Interval | null;
  /** Of their ratio less 1; null also when the second median is 0, or is in some resamples. */
  relativeInterval: Interval | null;
  method: IntervalMethod | null;
  /** Why there are no intervals; null when there are. */
  noInterval: NoInterval | null;
}

/**
 * Chooses how to make the intervals from how the groups were measured: BCa bootstrap of independent readings, BCa bootstrap
 * of launches from 10 a group on, t over launches from 2 on. `values` are the readings as if they shared no launch.
 */
export function comparedIntervals(
  design: Design,
  values: Values,
  ofMedian: number,
  againstMedian: number,
  options: ResamplingOptions,
): ComparedIntervals {
  const none = { differenceInterval: null, relativeInterval: null, method: null };
  if (Math.min(values.of.length, values.against.length) < fewestReadings) {
    return { ...none, noInterval: 'too few readings' };
  }
  if (isIndependentIn(design, options.scope)) {
    return found(differenceOfValues(values.of, values.against, options), 'bootstrap');
  }
  const launches = Math.min(design.of.length, design.against.length);
  if (launches >= fewestLaunchesToResample) {
    return found(differenceOfLaunches(design, options), 'bootstrap over launches');
  }
  const difference = launchTest(design, launchMedian, options.confidence);
  if (difference === null) return { ...none, noInterval: 'too few launches' };
  const ratio = launchTest(design, launchLogMedian, options.confidence);
  const narrowest = differenceOfValues(values.of, values.against, options);
  const estimate = ofMedian - againstMedian;
  const wide = hull(difference.interval, { low: estimate, high: estimate });
  return {
    ...agreeing(
      narrowest ? hull(wide, narrowest.difference) : wide,
      relativeHull(ratio?.interval, narrowest, ofMedian / againstMedian - 1),
    ),
    method: 't over launches',
    noInterval: null,
  };
}

function found(intervals: DifferenceIntervals | null, method: IntervalMethod): ComparedIntervals {
  return {
    ...agreeing(intervals?.difference ?? null, intervals?.relative ?? null),
    method,
    noInterval: null,
  };
}

/**
 * Differences and ratios weigh large readings unlike, so one interval may leave no difference open where the other does not:
 * then both do.
 */
function agreeing(
  difference: Interval | null,
  relative: Interval | null,
): Pick<ComparedIntervals, 'differenceInterval' | 'relativeInterval'> {
  const isUnlike = difference && relative && holdsZero(difference) !== holdsZero(relative);
  if (!isUnlike) return { differenceInterval: difference, relativeInterval: relative };
  const none = { low: 0, high: 0 };
  return { differenceInterval: hull(difference, none), relativeInterval: hull(relative, none) };
}

function holdsZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function relativeHull(
  logRatio: Interval | undefined,
  narrowest: DifferenceIntervals | null,
  estimate: number,
): Interval | null {
  if (!logRatio || !narrowest?.relative || !Number.isFinite(estimate)) return null;
  const ratio = { low: Math.exp(logRatio.low) - 1, high: Math.exp(logRatio.high) - 1 };
  return hull(hull(ratio, narrowest.relative), { low: estimate, high: estimate });
}
