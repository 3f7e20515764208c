import type { MedianEstimate } from './median-interval.ts';
import { type MoreReadings, moreReadings } from './more-readings.ts';

/** True when the interval reaches no further than the share `precision` of the median to either side. */
export function isPrecise({ median, interval }: MedianEstimate, precision: number): boolean {
  if (median === null || interval === null) return false;
  return Math.max(interval.high - median, median - interval.low) <= precision * median;
}

/** How many more readings would make the interval so narrow; null when it is, or when there is none. */
export function moreForPrecision(estimate: MedianEstimate, precision: number): MoreReadings | null {
  const { median, interval, readings, launches, method } = estimate;
  if (median === null || interval === null) return null;
  const halfWidth = Math.max(interval.high - median, median - interval.low);
  const independent = method !== 't over launches';
  const progress = { readings, launches: independent ? null : launches, halfWidth };
  return moreReadings(progress, precision * median);
}
