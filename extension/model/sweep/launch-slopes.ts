import { defaultConfidence, type Interval } from '../statistics/interval.ts';
import { launchMedian } from '../statistics/launch-level.ts';
import { leastSquares } from '../statistics/least-squares.ts';
import { intervalAround, meanEstimate } from '../statistics/welch.ts';

/** One timed read: its launch, and the measured delay of the device, ms. */
export interface DelayedRead {
  launch: number;
  delayMs: number;
  readMs: number;
}

const fewestLaunches = 3;

/**
 * The slope of read time over delay, ms per ms, when each launch reads at several delays: the mean of the launches' own
 * slopes, with a t interval over launches. An offset that a launch adds to all its reads cancels. A launch with fewer
 * than 3 delays, as after an interrupt, has no slope and is left out; null with fewer than 3 others.
 */
export function slopeOverLaunches(
  reads: readonly DelayedRead[],
): { slope: number; interval: Interval } | null {
  const slopes = [...Map.groupBy(reads, ({ launch }) => launch).values()].flatMap((own) => {
    const points = [...Map.groupBy(own, ({ delayMs }) => delayMs)].map(
      ([delayMs, at]) => [delayMs, launchMedian(at.map(({ readMs }) => readMs))] as const,
    );
    return leastSquares(points)?.slope ?? [];
  });
  const estimate = slopes.length < fewestLaunches ? null : meanEstimate(slopes);
  return (
    estimate && { slope: estimate.value, interval: intervalAround(estimate, defaultConfidence) }
  );
}
