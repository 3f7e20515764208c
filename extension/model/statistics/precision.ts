import type { MedianEstimate } from './median-interval.ts';
import { type MoreReadings, moreReadings } from './more-readings.ts';

/** True when both ends of the interval are within the share `precision` of the median. */
export function isPrecise({ median, interval }: MedianEstimate, precision: number): boolean {
  if (median === null || interval === null) return false;
  return Math.max(interval.high - median, median - interval.low) <= precision * median;
}

/**
 * How many more readings would make the interval that narrow; null when it already is, or when there is no interval.
 */
export function moreForPrecision(estimate: MedianEstimate, precision: number): MoreReadings | null {
  const { median, interval, readings, launches, method } = estimate;
  if (median === null || interval === null) return null;
  const halfWidth = Math.max(interval.high - median, median - interval.low);
  const independent = method !== 't over launches';
  const progress = { readings, launches: independent ? null : launches, halfWidth };
  return moreReadings(progress, precision * median);
}
