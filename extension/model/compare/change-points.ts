import { createRandom } from '../statistics/random.ts';

/** A change in a series. */
export interface ChangePoint {
  /** Position of the first point after the change. */
  at: number;
  /** p-value by permutation: probability of a change at least as large in a series without a change. */
  p: number;
}

/** Minimum number of points on each side of a change: one outlier run is not a change. */
const fewest = 2;
const permutations = 999;
const alpha = 0.05;
/**
 * Minimum number of points of a series. With fewer, no order of the points is rarer than 1 in 20: of the 70 ways to
 * halve 8 points, 2 are equally far apart.
 */
export const fewestForChange = 8;

/**
 * Change points of a series of points with one or more dimensions. Method: E-divisive, the energy distance between the
 * points before and after each position, with a permutation test of the largest one (Matteson and James, "A
 * Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", JASA 109, 2014), as MongoDB uses it
 * for its benchmarks (Daly et al., ICPE 2020). A segment is split again while a change in it is significant. One test
 * covers all dimensions, so that many cells do not cause false positives.
 *
 * @param series Points in order, each with the same number of finite values.
 * @returns In the order of the series; empty for fewer than {@link fewestForChange} points.
 */
export function changePoints(series: readonly (readonly number[])[], seed = 1): ChangePoint[] {
  const distances = series.map((one) => series.map((other) => euclidean(one, other)));
  const random = createRandom(seed);
  const within = (from: number, to: number): ChangePoint[] => {
    if (to - from < fewestForChange) return [];
    const order = Array.from({ length: to - from }, (_, index) => from + index);
    const found = greatestDivergence(distances, order);
    let asGreat = 1;
    for (let round = 0; round < permutations; round += 1) {
      const shuffled = greatestDivergence(distances, shuffle(order, random));
      if (shuffled.divergence >= found.divergence) asGreat += 1;
    }
    const p = asGreat / (permutations + 1);
    if (p > alpha || found.divergence === 0) return [];
    const at = from + found.before;
    return [...within(from, at), { at, p }, ...within(at, to)];
  };
  return within(0, series.length);
}

function euclidean(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, index) => value - (other[index] ?? value)));
}

/** The position with the largest divergence between the points before and after it, for this order of the points. */
function greatestDivergence(
  distances: readonly (readonly number[])[],
  order: readonly number[],
): { before: number; divergence: number } {
  const count = order.length;
  // Sums of distances: between the two sides, within the first, within the second. The points move one by one from the
  // second side to the first.
  let [across, inside, outside] = [0, 0, 0];
  const nearby = (point: number, from: number, to: number): number => {
    const row = distances[point] ?? [];
    let total = 0;
    for (let place = from; place < to; place += 1) total += row[order[place] ?? 0] ?? 0;
    return total;
  };
  for (const [place, point] of order.entries()) outside += nearby(point, place + 1, count);
  let best = { before: 0, divergence: 0 };
  for (const [place, point] of order.entries()) {
    const [toFirst, toSecond] = [nearby(point, 0, place), nearby(point, place + 1, count)];
    across += toSecond - toFirst;
    inside += toFirst;
    outside -= toSecond;
    const before = place + 1;
    const behind = count - before;
    if (before < fewest || behind < fewest) continue;
    const energy =
      (2 * across) / (before * behind) -
      (2 * inside) / (before * (before - 1)) -
      (2 * outside) / (behind * (behind - 1));
    const divergence = (energy * before * behind) / count;
    if (divergence > best.divergence) best = { before, divergence };
  }
  return best;
}

/** Fisher-Yates shuffle. */
function shuffle(order: readonly number[], random: () => number): number[] {
  const shuffled = [...order];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen] ?? 0, shuffled[last] ?? 0];
  }
  return shuffled;
}
