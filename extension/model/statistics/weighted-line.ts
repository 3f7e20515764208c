import type { Point } from './least-squares.ts';

/** A straight line. The intercept is in units of y, the slope in units of y per unit of x. */
export interface Line {
  slope: number;
  /** y at x = 0. */
  intercept: number;
}

/** Quadratic deviation from a straight line. */
export interface Curvature {
  /** Coefficient of x squared, in units of y per squared unit of x. */
  coefficient: number;
  /** Largest distance between the parabola and the line at any of the points, as a share of the point's y. */
  share: number;
}

/**
 * The line with the least sum of squared relative residuals (as shares of the points' y): for values whose scatter
 * grows with their size, as times do. null with fewer than 2 different x, a y that is not above 0, or a number that is
 * not finite.
 */
export function relativeLine(points: readonly Point[]): Line | null {
  const sums = sumsOf(points);
  if (sums === null) return null;
  const slope = sums.xy / sums.xx;
  return { slope, intercept: sums.y - slope * sums.x };
}

/**
 * Standard errors of such a line, from the points' residuals only; null with fewer than 3 points. They have points - 2
 * degrees of freedom.
 */
export function relativeLineErrors(
  points: readonly Point[],
  { slope, intercept }: Line,
): Line | null {
  const sums = sumsOf(points);
  if (sums === null || points.length < 3) return null;
  const residual = points.reduce((sum, [x, y]) => sum + (1 - (intercept + slope * x) / y) ** 2, 0);
  const variance = residual / (points.length - 2);
  return {
    slope: Math.sqrt(variance / sums.xx),
    intercept: Math.sqrt(variance * (1 / sums.w + sums.x ** 2 / sums.xx)),
  };
}

/**
 * The quadratic term of the best-fitting parabola, with the same weights. null with fewer than 4 points or 3 different
 * x.
 */
export function relativeCurvature(points: readonly Point[]): Curvature | null {
  const sums = sumsOf(points);
  if (sums === null || points.length < 4) return null;
  let [mean, slope, scale] = [0, 0, 0];
  for (const [x, y] of points) {
    const square = (x - sums.x) ** 2;
    mean += square / y ** 2 / sums.w;
    slope += ((x - sums.x) * square) / y ** 2 / sums.xx;
    scale += square ** 2 / y ** 2;
  }
  // The part of x squared that is orthogonal to a straight line, as a share of y.
  const rest = points.map(([x, y]) => ((x - sums.x) ** 2 - mean - slope * (x - sums.x)) / y);
  const own = rest.reduce((sum, value) => sum + value ** 2, 0);
  if (!(own > 1e-9 * scale)) return null;
  const coefficient = rest.reduce((sum, value) => sum + value, 0) / own;
  return { coefficient, share: Math.max(...rest.map((value) => Math.abs(coefficient * value))) };
}

/** Weighted means of x and y, and sums of squares around them: no cancellation, however far the x are from 0. */
interface Sums {
  w: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
}

function sumsOf(points: readonly Point[]): Sums | null {
  if (!points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && y > 0)) return null;
  if (new Set(points.map(([x]) => x)).size < 2) return null;
  const sums: Sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    sums.w += w;
    sums.x += w * x;
    sums.y += w * y;
  }
  sums.x /= sums.w;
  sums.y /= sums.w;
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    sums.xx += w * (x - sums.x) ** 2;
    sums.xy += w * (x - sums.x) * (y - sums.y);
  }
  return sums;
}
