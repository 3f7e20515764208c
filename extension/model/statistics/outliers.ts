import { mean, medianAbsoluteDeviation } from 'simple-statistics';
import { median } from './quantile.ts';

/** How far out of its group a value lies. */
export type Outlyingness = 'inside' | 'mild' | 'severe';

/** The flags of a group of values, which is kept whole: an outlier is said, never dropped. */
export interface Outliers {
  /** One a value, in the order given. */
  flags: Outlyingness[];
  mild: number;
  severe: number;
}

/** Iglewicz and Hoaglin (1993), "How to detect and handle outliers": beyond 3.5 a value is an outlier; here severe at twice that. */
const mildBeyond = 3.5;
const severeBeyond = 7;

/** Flags outliers by the modified z-score. null without values or with one that is not finite. */
export function flagOutliers(values: readonly number[]): Outliers | null {
  const scores = modifiedZScores(values);
  if (scores === null) return null;
  const flags = scores.map(outlyingness);
  return {
    flags,
    mild: flags.filter((flag) => flag === 'mild').length,
    severe: flags.filter((flag) => flag === 'severe').length,
  };
}

/**
 * Distance from the median over 1.4826 times the median absolute deviation, which is the standard deviation of normal
 * values and does not grow with the outliers themselves. Where more than half of the values are equal that deviation is
 * 0, and 1.2533 times the mean absolute deviation takes its place; where all are, every score is 0.
 */
export function modifiedZScores(values: readonly number[]): number[] | null {
  const middle = median(values);
  if (middle === null) return null;
  const deviation = 1.4826 * medianAbsoluteDeviation([...values]);
  const fallback = 1.2533 * mean(values.map((value) => Math.abs(value - middle)));
  const scale = deviation > 0 ? deviation : fallback;
  return values.map((value) => (scale > 0 ? (value - middle) / scale : 0));
}

function outlyingness(score: number): Outlyingness {
  const distance = Math.abs(score);
  if (distance <= mildBeyond) return 'inside';
  return distance <= severeBeyond ? 'mild' : 'severe';
}
