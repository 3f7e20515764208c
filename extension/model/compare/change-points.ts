import { createRandom } from '../statistics/random.ts';

/** Where a series changes. */
export interface ChangePoint {
  /** Position of the first point behind the change. */
  at: number;
  /** Chance that a series without a change shows one as great, by permutation. */
  p: number;
}

/** So few points on a side are taken for chance: one odd run is no change. */
const fewest = 2;
const permutations = 999;
const alpha = 0.05;
/** Below it, no order of the points can be rarer than 1 in 20: 2 of the 70 ways to halve 8 points are as far apart. */
export const fewestForChange = 8;

/**
 * Change points of a series of points with one or more dimensions: E-divisive, the energy distance between what is before and behind each
 * place, and a permutation test of the greatest (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", JASA 109, 2014), as MongoDB uses it for its benchmarks (Daly et al., ICPE 2020). A part is
 * divided again while a change in it is significant. One test of all dimensions together, so that many cells cause no false ones.
 *
 * @param series Points in their order, each with as many finite values.
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

/** The place that divides points in this order best, and how far apart both sides are there. */
function greatestDivergence(
  distances: readonly (readonly number[])[],
  order: readonly number[],
): { before: number; divergence: number } {
  const count = order.length;
  // Sums of distances: between the sides, within the first, within the second, whose points move to the first one by one.
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

/** Fisher and Yates. */
function shuffle(order: readonly number[], random: () => number): number[] {
  const shuffled = [...order];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen] ?? 0, shuffled[last] ?? 0];
  }
  return shuffled;
}
