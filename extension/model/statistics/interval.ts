/**
 * Confidence interval: a range that contains the true value in the stated share of repetitions of the experiment, 95 %
 * by default.
 */
export interface Interval {
  low: number;
  high: number;
}

/** True when `value` is in the interval, ends included. */
export function holds({ low, high }: Interval, value: number): boolean {
  return low <= value && value <= high;
}

/** Default confidence level of intervals. */
export const defaultConfidence = 0.95;
