import { linearRegression, linearRegressionLine, mean, rSquared } from 'simple-statistics';
import { defaultConfidence, type Interval } from './interval.ts';
import { studentCritical } from './student-t.ts';

/** A point of a scatter plot: independent and dependent variable. */
export type Point = readonly [x: number, y: number];

/** With three points R² says nothing about the fit. */
const fewestForR2 = 4;

/** A line fitted by ordinary least squares. Slopes are in units of y per unit of x. */
export interface LeastSquaresLine {
  slope: number;
  slopeInterval: Interval;
  /** y at x = 0. */
  intercept: number;
  interceptInterval: Interval;
  /**
   * Coefficient of determination, 0 to 1. null with three points, which any line almost fits, and when all y are equal, so
   * that there is no variance to explain.
   */
  r2: number | null;
  points: number;
}

/**
 * Fits y = intercept + slope x. The intervals assume residuals that are normal, independent and of equal variance
 * (Draper and Smith 1998, 1.4). null with fewer than 3 points, with all x equal, or with a number that is not finite.
 */
export function leastSquares(
  points: readonly Point[],
  confidence = defaultConfidence,
): LeastSquaresLine | null {
  if (points.length < 3 || !points.flat().every(Number.isFinite)) return null;
  const meanX = mean(points.map(([x]) => x));
  const spread = points.reduce((total, [x]) => total + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return null;
  const data = points.map(([x, y]) => [x, y]);
  const { m: slope, b: intercept } = linearRegression(data);
  const line = linearRegressionLine({ m: slope, b: intercept });
  const freedom = points.length - 2;
  const residual = points.reduce((total, [x, y]) => total + (y - line(x)) ** 2, 0) / freedom;
  const critical = studentCritical(confidence, freedom);
  const around = (value: number, variance: number): Interval => {
    const margin = critical * Math.sqrt(variance);
    return { low: value - margin, high: value + margin };
  };
  const flat = points.every(([, y]) => y === points[0]?.[1]);
  return {
    slope,
    slopeInterval: around(slope, residual / spread),
    intercept,
    interceptInterval: around(intercept, residual * (1 / points.length + meanX ** 2 / spread)),
    r2: flat || points.length < fewestForR2 ? null : rSquared(data, line),
    points: points.length,
  };
}
