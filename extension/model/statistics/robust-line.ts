import type { Point } from './least-squares.ts';
import { median } from './quantile.ts';
import { type Line, relativeLine } from './weighted-line.ts';

/** A line through most of the points. */
export interface RobustLine {
  line: Line;
  /** Places of the points that it was not drawn through, in the order given. */
  leftOut: number[];
}

/** Fewer points do not tell which of them is off. */
const fewestPoints = 5;
/** At most this share is left out: more are no outliers, and the line is wrong. */
const mostShare = 0.2;
/** A point is off by more than this share of its y, and by so many times what the others are off by. */
const leastOff = 0.1;
const timesOthers = 4;
/** Standard deviations in a median absolute deviation of normal values. */
const madToDeviation = 1.4826;

/**
 * The line of `relativeLine`, without points that are far from all others. The line of least absolute distances, which one wild
 * point does not move, says which those are; of the point with the least x it cannot tell, since that one alone holds the
 * line's end. null where `relativeLine` is.
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

/** The best of all lines through two of the points: one of them has the least sum of relative distances. */
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
