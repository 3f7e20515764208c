import { mean, sampleVariance } from 'simple-statistics';
import { defaultConfidence, type Interval } from './interval.ts';
import { areFinite } from './quantile.ts';
import { studentCritical, studentTwoSided } from './student-t.ts';

/** A t test: a mean, or a difference of two, against its standard error. */
export interface TTest {
  /** Mean of the first group less that of the second (or the mean itself), in the unit of the values. */
  difference: number;
  interval: Interval;
  /** Infinite when the values have no spread and the difference is not 0. */
  t: number;
  /** Degrees of freedom; not whole for Welch's test. */
  freedom: number;
  /** Two-sided p-value. */
  p: number;
}

/**
 * Welch's t test (1947): do two groups of unequal spread have the same mean? Exact for normal values only; with few values
 * that are far from normal its p-value is not to be trusted. null with fewer than 2 values in a group or one not finite.
 */
export function welch(
  first: readonly number[],
  second: readonly number[],
  confidence = defaultConfidence,
): TTest | null {
  if (!isGroup(first) || !isGroup(second)) return null;
  const difference = mean([...first]) - mean([...second]);
  const a = sampleVariance([...first]) / first.length;
  const b = sampleVariance([...second]) / second.length;
  const freedom =
    a + b > 0
      ? (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1))
      : first.length + second.length - 2;
  return tTest(difference, Math.sqrt(a + b), freedom, confidence);
}

/** Student's t test of one group against 0. null with fewer than 2 values or one not finite. */
export function oneSampleT(
  values: readonly number[],
  confidence = defaultConfidence,
): TTest | null {
  if (!isGroup(values)) return null;
  const standardError = Math.sqrt(sampleVariance([...values]) / values.length);
  return tTest(mean([...values]), standardError, values.length - 1, confidence);
}

function isGroup(values: readonly number[]): boolean {
  return values.length >= 2 && areFinite(values);
}

function tTest(
  difference: number,
  standardError: number,
  freedom: number,
  confidence: number,
): TTest {
  const margin = studentCritical(confidence, freedom) * standardError;
  const t = difference === 0 ? 0 : difference / standardError;
  return {
    difference,
    interval: { low: difference - margin, high: difference + margin },
    t,
    freedom,
    p: studentTwoSided(t, freedom),
  };
}
