import { mean, medianAbsoluteDeviation } from 'simple-statistics';
import { median } from './quantile.ts';

/** Whether a value is an outlier of its group. */
export type Outlyingness = 'inside' | 'mild' | 'severe';

/** Outlier flags of a group of values. All values are kept: an outlier is reported, never dropped. */
export interface Outliers {
  /** One flag per value, in order. */
  flags: Outlyingness[];
  mild: number;
  severe: number;
}

/**
 * Iglewicz and Hoaglin (1993), "How to detect and handle outliers": above 3.5 is an outlier. Here, above 7 is severe.
 */
const mildBeyond = 3.5;
const severeBeyond = 7;

/** Flags outliers by the modified z-score. null without values or with a value that is not finite. */
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
 * Distance from the median divided by 1.4826 times the median absolute deviation. For normal values that is the
 * standard deviation, and outliers do not inflate it. When more than half of the values are equal, it is 0, and 1.2533
 * times the mean absolute deviation replaces it; when all are equal, every score is 0.
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
