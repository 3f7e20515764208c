import { defaultConfidence, type Interval } from '../statistics/interval.ts';
import { launchMedian } from '../statistics/launch-level.ts';
import { leastSquares } from '../statistics/least-squares.ts';
import { intervalAround, meanEstimate } from '../statistics/welch.ts';

/** One timed read: by whom, and at which measured delay of the device, ms. */
export interface DelayedRead {
  launch: number;
  delayMs: number;
  readMs: number;
}

const fewestLaunches = 3;

/**
 * The slope of read time over delay, ms for each ms, where launches read at several delays each: the mean of the launches' own slopes,
 * so that what a launch adds to all of its reads cancels; t over launches. null with fewer than 3 launches, or when one has
 * fewer than 3 delays: then launches are not what the slope differs by.
 */
export function slopeOverLaunches(
  reads: readonly DelayedRead[],
): { slope: number; interval: Interval } | null {
  const slopes = [...Map.groupBy(reads, ({ launch }) => launch).values()].map((own) => {
    const points = [...Map.groupBy(own, ({ delayMs }) => delayMs)].map(
      ([delayMs, at]) => [delayMs, launchMedian(at.map(({ readMs }) => readMs))] as const,
    );
    return leastSquares(points)?.slope ?? Number.NaN;
  });
  const estimate = slopes.length < fewestLaunches ? null : meanEstimate(slopes);
  return (
    estimate && { slope: estimate.value, interval: intervalAround(estimate, defaultConfidence) }
  );
}
