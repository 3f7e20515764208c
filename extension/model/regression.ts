import { linearRegression, linearRegressionLine, mean, rSquared } from 'simple-statistics';
import type { Interval } from './bootstrap.ts';

/** A straight line through points, by ordinary least squares. */
export interface LinearFit {
  slope: number;
  intercept: number;
  /** 95 % interval of the slope, from the scatter of the points around the line. */
  slopeInterval: Interval;
  /** Share of the variance that the line explains, 0 to 1; null when all y are equal, where there is none. */
  r2: number | null;
  points: number;
}

/** Fits y = intercept + slope x. null with fewer than 3 points or when all x are equal: no line can be judged. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): LinearFit | null {
  if (points.length < 3) return null;
  const data = points.map(([x, y]) => [x, y]);
  const meanX = mean(points.map(([x]) => x));
  const spread = points.reduce((total, [x]) => total + (x - meanX) ** 2, 0);
  if (spread === 0) return null;
  const model = linearRegression(data);
  const line = linearRegressionLine(model);
  const residual = points.reduce((total, [x, y]) => total + (y - line(x)) ** 2, 0);
  const freedom = points.length - 2;
  const margin = studentT975(freedom) * Math.sqrt(residual / freedom / spread);
  const flat = points.every(([, y]) => y === points[0]?.[1]);
  return {
    slope: model.m,
    intercept: model.b,
    slopeInterval: { low: model.m - margin, high: model.m + margin },
    r2: flat ? null : rSquared(data, line),
    points: points.length,
  };
}

/** 0.975 quantiles of Student's t for 1 to 10 degrees of freedom. */
const studentTable = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/** 0.975 quantile of Student's t; above the table by its series (Abramowitz and Stegun 26.7.5), good to 0.001. */
function studentT975(freedom: number): number {
  const tabled = studentTable[freedom - 1];
  if (tabled !== undefined) return tabled;
  const z = 1.959964;
  return (
    z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
  );
}
