import { mean, sampleVariance } from 'simple-statistics';
import type { Interval } from './interval.ts';
import { areFinite } from './quantile.ts';
import { studentCritical, studentTwoSided } from './student-t.ts';

/** An estimate with its standard error. For normal values it follows Student's t distribution. */
export interface Estimate {
  /** In the unit of the values. */
  value: number;
  error: number;
  /** Degrees of freedom of the error; not an integer for Welch's test. */
  freedom: number;
}

/**
 * Difference of two means, for groups of unequal variance (Welch 1947). null with fewer than 2 values in a group or
 * with one that is not finite.
 */
export function welch(first: readonly number[], second: readonly number[]): Estimate | null {
  const [one, other] = [meanEstimate(first), meanEstimate(second)];
  if (one === null || other === null) return null;
  const [a, b] = [one.error ** 2, other.error ** 2];
  const freedom =
    a + b > 0
      ? (a + b) ** 2 / (a ** 2 / one.freedom + b ** 2 / other.freedom)
      : one.freedom + other.freedom;
  return { value: one.value - other.value, error: Math.sqrt(a + b), freedom };
}

/** Mean of one group. null with fewer than 2 values or with one that is not finite. */
export function meanEstimate(values: readonly number[]): Estimate | null {
  if (values.length < 2 || !areFinite(values)) return null;
  const error = Math.sqrt(sampleVariance([...values]) / values.length);
  return { value: mean([...values]), error, freedom: values.length - 1 };
}

/** Student's t interval of an estimate. */
export function intervalAround({ value, error, freedom }: Estimate, confidence: number): Interval {
  const reach = studentCritical(confidence, freedom) * error;
  return { low: value - reach, high: value + reach };
}

/** Two-sided p-value of an estimate against 0. Unreliable for few values that are far from normal. */
export function pValueOf({ value, error, freedom }: Estimate): number {
  return value === 0 ? 1 : studentTwoSided(value / error, freedom);
}
