import { type Design, isIndependentIn, type Launches } from './design.ts';
import { defaultConfidence, hull, type Interval } from './interval.ts';
import type { LaunchGap } from './launch-gap.ts';
import { fewestReadings, type IntervalMethod, type NoInterval } from './median-interval.ts';
import type { ResamplingOptions } from './resampling.ts';
import { differenceOfStrata } from './strata-bootstrap.ts';
import { intervalAround } from './welch.ts';

/** The intervals of a comparison, and the method, or the reason why there are none. */
export interface ComparedIntervals {
  /** Interval of the difference of the levels, in the unit of the readings. */
  differenceInterval: Interval | null;
  /**
   * Interval of the ratio of the levels minus 1. Also null when the second level is 0, in the data or in a resample.
   */
  relativeInterval: Interval | null;
  method: IntervalMethod | null;
  /**
   * Degrees of freedom of t over launches, including those of the family's prior (moderation.ts); null for other
   * methods.
   */
  freedom: number | null;
  /** Why there are no intervals; null when there are intervals. */
  noInterval: NoInterval | null;
}

/** No intervals, for this reason. */
export function withoutIntervals(noInterval: NoInterval): ComparedIntervals {
  const none = { differenceInterval: null, relativeInterval: null };
  return { ...none, method: null, freedom: null, noInterval };
}

/**
 * Computes the intervals by the design of the groups: Student's t over launches, with any number of launches; or a
 * bootstrap when readings are independent or when the scope is these launches only. `gap` is null when launches cannot
 * be compared.
 */
export function comparedIntervals(
  design: Design,
  gap: LaunchGap | null,
  options: ResamplingOptions,
): ComparedIntervals {
  if (Math.min(design.of.flat().length, design.against.flat().length) < fewestReadings)
    return withoutIntervals('too few readings');
  if (isIndependentIn(design, options.scope)) {
    const [of, against] = strataOf(design);
    const found = differenceOfStrata(of, against, options);
    const intervals = agreeing(found?.difference ?? null, found?.relative ?? null);
    return { ...intervals, method: 'bootstrap', freedom: null, noInterval: null };
  }
  if (gap === null) return withoutIntervals('too few launches');
  const { confidence = defaultConfidence } = options;
  const logRatio = gap.logRatio && intervalAround(gap.logRatio, confidence);
  const relative = logRatio && { low: Math.expm1(logRatio.low), high: Math.expm1(logRatio.high) };
  return {
    ...agreeing(intervalAround(gap.difference, confidence), relative),
    method: 't over launches',
    freedom: (gap.logRatio ?? gap.difference).freedom,
    noInterval: null,
  };
}

/** The strata of both groups: one stratum when no two readings share a launch, otherwise one per launch. */
export function strataOf({ kind, of, against }: Design): [of: Launches, against: Launches] {
  return kind === 'independent' ? [[of.flat()], [against.flat()]] : [of, against];
}

/**
 * Differences and ratios weight large readings differently, so one interval may contain 0 when the other does not. Both
 * are then extended to contain 0.
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
