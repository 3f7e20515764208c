import type { Point } from './least-squares.ts';
import { median } from './quantile.ts';
import { type Line, relativeLine } from './weighted-line.ts';

/** A line fitted to most of the points. */
export interface RobustLine {
  line: Line;
  /** Indexes of the points excluded from the fit, in the order given. */
  leftOut: number[];
}

/** With fewer points, no point can be identified as an outlier. */
const fewestPoints = 5;
/** The maximum share of excluded points: with more, they are not outliers, and a line is the wrong model. */
const mostShare = 0.2;
/**
 * A point is an outlier when its residual, as a share of its y, exceeds this share and this multiple of the usual one.
 */
const leastOff = 0.1;
const timesOthers = 4;
/** Standard deviation divided by the median absolute deviation, for normal values. */
const madToDeviation = 1.4826;

/**
 * The line of `relativeLine` without outliers. Outliers are identified by the line of least absolute deviations, which
 * a single outlier does not move. It cannot identify the point with the least x as an outlier, because that point alone
 * determines its end of the line. null when `relativeLine` is null.
 */
export function robustLine(points: readonly Point[]): RobustLine | null {
  const whole = relativeLine(points);
  if (whole === null) return null;
  const all = { line: whole, leftOut: [] };
  const first = points.length < fewestPoints ? null : leastAbsolute(points);
  if (first === null) return all;
  const off = points.map((point) => distance(first, point));
  const usual = madToDeviation * (median(off) ?? 0);
  const leftOut = [...off.keys()].filter(
    (index) => (off[index] ?? 0) > Math.max(leastOff, timesOthers * usual),
  );
  if (leftOut.length === 0 || leftOut.length > mostShare * points.length) return all;
  const line = relativeLine(points.filter((_, index) => !leftOut.includes(index)));
  return line === null ? all : { line, leftOut };
}

/** The best of all lines through two of the points. One of them has the least sum of absolute relative residuals. */
function leastAbsolute(points: readonly Point[]): Line | null {
  let [best, least]: [Line | null, number] = [null, Infinity];
  for (const [index, [x, y]] of points.entries()) {
    for (const [x2, y2] of points.slice(index + 1)) {
      if (x === x2) continue;
      const slope = (y2 - y) / (x2 - x);
      const line = { slope, intercept: y - slope * x };
      const sum = points.reduce((total, point) => total + distance(line, point), 0);
      if (sum < least) [best, least] = [line, sum];
    }
  }
  return best;
}

function distance({ slope, intercept }: Line, [x, y]: Point): number {
  return Math.abs(1 - (intercept + slope * x) / y);
}
