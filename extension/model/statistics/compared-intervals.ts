import { type Design, isIndependentIn } from './design.ts';
import { defaultConfidence, hull, type Interval } from './interval.ts';
import type { LaunchGap } from './launch-gap.ts';
import { fewestReadings, type IntervalMethod, type NoInterval } from './median-interval.ts';
import type { ResamplingOptions } from './resampling.ts';
import { differenceOfStrata } from './strata-bootstrap.ts';
import { intervalAround } from './welch.ts';

/** The intervals of a comparison, and how they were made or why they were not. */
export interface ComparedIntervals {
  /** Of the difference of the levels, in the unit of the readings. */
  differenceInterval: Interval | null;
  /** Of their ratio less 1; null also when the second level is 0, or is in some resamples. */
  relativeInterval: Interval | null;
  method: IntervalMethod | null;
  /** Degrees of freedom of t over launches, the family's share included (moderation.ts); null otherwise. */
  freedom: number | null;
  /** Why there are no intervals; null when there are. */
  noInterval: NoInterval | null;
}

/**
 * Makes the intervals as the groups were measured: t over launches at every number of them, or, of readings that are
 * independent or that speak for their own launches only, a bootstrap. `gap` is null where launches cannot be compared.
 */
export function comparedIntervals(
  design: Design,
  gap: LaunchGap | null,
  options: ResamplingOptions,
): ComparedIntervals {
  const none = { differenceInterval: null, relativeInterval: null, method: null, freedom: null };
  if (Math.min(design.of.flat().length, design.against.flat().length) < fewestReadings) {
    return { ...none, noInterval: 'too few readings' };
  }
  if (isIndependentIn(design, options.scope)) {
    const found = differenceOfStrata(
      strataOf(design, design.of),
      strataOf(design, design.against),
      options,
    );
    return {
      ...agreeing(found?.difference ?? null, found?.relative ?? null),
      method: 'bootstrap',
      freedom: null,
      noInterval: null,
    };
  }
  if (gap === null) return { ...none, noInterval: 'too few launches' };
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

/** Readings that share no launch are one group of them. */
export function strataOf({ kind }: Design, launches: Design['of']): Design['of'] {
  return kind === 'independent' ? [launches.flat()] : launches;
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
