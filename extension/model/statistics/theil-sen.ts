import { median } from './quantile.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import type { Point } from './least-squares.ts';
import { normalQuantile } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** A line fitted by medians, which single outliers do not move. */
export interface TheilSenLine {
  /** Median of the slopes of all pairs of points with different x; units of y per unit of x. */
  slope: number;
  /** null with fewer than 5 points: even the range of all slopes covers less than 95 %. */
  slopeInterval: Interval | null;
  /** Median of y minus slope times median of x, as in SciPy. */
  intercept: number;
  points: number;
}

/** With more points, the slopes of all pairs (two million) are too many to keep. */
const mostPoints = 2000;

/** Up to this many points, the distribution of Kendall's S is exact; beyond, the normal approximation is close. */
const mostForExact = 60;

/**
 * Theil (1950) and Sen (1968), with Sen's interval from the distribution of Kendall's S: exact for few points of
 * distinct x, otherwise the normal approximation with tie correction. `inSeries` says that the points are
 * autocorrelated, as measurements of one thing over time are; the effective sample size is then smaller (`likenessOf`).
 * null with fewer than 2 points, more than 2000, all x equal, or a number that is not finite.
 */
export function theilSen(
  points: readonly Point[],
  confidence = defaultConfidence,
  inSeries = false,
): TheilSenLine | null {
  if (points.length < 2 || points.length > mostPoints) return null;
  const slopes = slopesBetween(points);
  const slope = median(slopes);
  const middleX = median(points.map(([x]) => x));
  const middleY = median(points.map(([, y]) => y));
  if (slope === null || middleX === null || middleY === null) return null;
  return {
    slope,
    slopeInterval: senInterval(
      slopes,
      points,
      confidence,
      inSeries ? likenessOf(points, slope) : 0,
    ),
    intercept: middleY - slope * middleX,
    points: points.length,
  };
}

function slopesBetween(points: readonly Point[]): number[] {
  return points.flatMap(([x, y], index) =>
    points
      .slice(index + 1)
      .filter((other) => other[0] !== x)
      .map((other) => (other[1] - y) / (other[0] - x)),
  );
}

/**
 * Sen's interval: from each end of the sorted slopes, as many are cut off as S allows at the confidence when there is
 * no trend.
 */
function senInterval(
  slopes: readonly number[],
  points: readonly Point[],
  confidence: number,
  likeness: number,
): Interval | null {
  const sorted = Float64Array.from(slopes).toSorted();
  const distinct = new Set(points.map(([x]) => x)).size === points.length;
  const cut =
    distinct && points.length <= mostForExact && likeness === 0
      ? exactCut(points.length, (1 - confidence) / 2)
      : normalCut(sorted.length, points, confidence, likeness);
  const [low, high] = [sorted[cut], sorted[sorted.length - 1 - cut]];
  return cut < 0 || low === undefined || high === undefined || low > high ? null : { low, high };
}

/**
 * Number of slopes to cut at each end: the largest number of inversions whose cumulative probability is within `tail`.
 * -1 when even the range of all slopes is too narrow.
 */
function exactCut(points: number, tail: number): number {
  const shares = inversionShares(points);
  let chance = 0;
  for (const [inversions, share] of shares.entries()) {
    chance += share;
    if (chance > tail) return inversions - 1;
  }
  return -1;
}

/** Share of all permutations of `size` items by their number of inversions (Kendall 1938). */
function inversionShares(size: number): number[] {
  let shares = [1];
  for (let things = 2; things <= size; things++) {
    const next = Array.from({ length: shares.length + things - 1 }, () => 0);
    for (const [inversions, share] of shares.entries()) {
      for (let more = 0; more < things; more++) {
        next[inversions + more] = (next[inversions + more] ?? 0) + share / things;
      }
    }
    shares = next;
  }
  return shares;
}

/**
 * Limit of the autocorrelation: above it the points of a series are close to a random walk, and show hardly anything
 * about a trend.
 */
const mostLikeness = 0.9;

/**
 * Lag-1 autocorrelation of the residuals, 0 to 0.9, corrected for its bias with few points (Kendall 1954, for one more
 * fitted parameter). 0 with fewer than 5 points.
 */
function likenessOf(points: readonly Point[], slope: number): number {
  const size = points.length;
  if (size < 5) return 0;
  const rising = points.toSorted(([one], [other]) => one - other);
  const rest = rising.map(([x, y]) => y - slope * x);
  const mean = rest.reduce((sum, value) => sum + value, 0) / size;
  const own = rest.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const lagged = rest.reduce(
    (sum, value, index) =>
      sum + (index === 0 ? 0 : (value - mean) * ((rest[index - 1] ?? 0) - mean)),
    0,
  );
  if (!(own > 0)) return 0;
  return Math.min(mostLikeness, Math.max(0, (lagged / own + 2 / size) / (1 - 4 / size)));
}

/**
 * The same cut by the normal approximation. With autocorrelation r, the variance of S is larger by (1 + r) / (1 - r),
 * as for a mean (Yue and Wang 2004). The effective sample size is smaller by that factor, so Student's t replaces the
 * normal distribution, and the interval is at most the range of all slopes.
 */
function normalCut(
  slopes: number,
  points: readonly Point[],
  confidence: number,
  likeness: number,
): number {
  const pairs = (size: number): number => size * (size - 1) * (2 * size + 5);
  const ties = (axis: 0 | 1): number =>
    [...Map.groupBy(points, (point) => point[axis]).values()].reduce(
      (total, tied) => total + pairs(tied.length),
      0,
    );
  const variance = (pairs(points.length) - ties(0) - ties(1)) / 18;
  const times = (1 + likeness) / (1 - likeness);
  const critical =
    likeness === 0
      ? normalQuantile((1 + confidence) / 2)
      : studentCritical(confidence, Math.max(2, points.length / times - 2));
  const cut = Math.round((slopes - critical * Math.sqrt(Math.max(0, variance * times))) / 2) - 1;
  return likeness === 0 ? cut : Math.max(0, cut);
}
