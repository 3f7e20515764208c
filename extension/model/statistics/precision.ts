import type { MedianEstimate } from './median-interval.ts';

/** True when both ends of the interval are within the share `precision` of the median. */
export function isPrecise({ median, interval }: MedianEstimate, precision: number): boolean {
  if (median === null || interval === null) return false;
  return Math.max(interval.high - median, median - interval.low) <= precision * median;
}
