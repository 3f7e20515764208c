/** A range that holds the true value in the stated share of repetitions of the experiment, 95 of 100 unless said. */
export interface Interval {
  low: number;
  high: number;
}

/** The smallest interval that holds both. */
export function hull(one: Interval, other: Interval): Interval {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

/** True when `value` lies in the interval or at one of its ends. */
export function holds({ low, high }: Interval, value: number): boolean {
  return low <= value && value <= high;
}

/** Share of repetitions in which an interval holds the truth, unless the caller asks for another. */
export const defaultConfidence = 0.95;
