import type { Point } from './least-squares.ts';

/** A straight line, in units of y and of y for one unit of x. */
export interface Line {
  slope: number;
  /** y where x is 0. */
  intercept: number;
}

/**
 * The line whose distances from the points, as shares of the points' y, have the least sum of squares: for values that
 * scatter the more the greater they are, as times do. null with fewer than 2 different x, a y that is not above 0, or a
 * number that is not finite.
 */
export function relativeLine(points: readonly Point[]): Line | null {
  if (!points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && y > 0)) return null;
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    sums.w += w;
    sums.x += w * x;
    sums.y += w * y;
    sums.xx += w * x * x;
    sums.xy += w * x * y;
  }
  if (new Set(points.map(([x]) => x)).size < 2) return null;
  const slope = (sums.w * sums.xy - sums.x * sums.y) / (sums.w * sums.xx - sums.x ** 2);
  return { slope, intercept: (sums.y - slope * sums.x) / sums.w };
}

/**
 * Standard errors of such a line, from the points' distances from it alone; null with fewer than 3 points. They have
 * points - 2 degrees of freedom.
 */
export function relativeLineErrors(
  points: readonly Point[],
  { slope, intercept }: Line,
): Line | null {
  if (points.length < 3) return null;
  const sums = { w: 0, x: 0, xx: 0, residual: 0 };
  for (const [x, y] of points) {
    const w = 1 / y ** 2;
    sums.w += w;
    sums.x += w * x;
    sums.xx += w * x * x;
    sums.residual += w * (y - intercept - slope * x) ** 2;
  }
  const variance = sums.residual / (points.length - 2);
  const determinant = sums.w * sums.xx - sums.x ** 2;
  return {
    slope: Math.sqrt((variance * sums.w) / determinant),
    intercept: Math.sqrt((variance * sums.xx) / determinant),
  };
}
