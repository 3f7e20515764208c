import {
  kernelDensityEstimation,
  sampleStandardDeviation,
  quantileSorted,
} from 'simple-statistics';
import { sortedFinite } from './quantile.ts';

/** A kernel density estimate. */
export interface Density {
  /** Positions in rising order, in the unit of the values. */
  at: number[];
  /** Share of the values per unit, at each position. */
  density: number[];
  /** Standard deviation of the Gaussian kernel, in the unit of the values. */
  bandwidth: number;
}

/**
 * Above this many values, as many quantiles replace them: the cost is the number of values times the number of places.
 */
const mostValues = 500;

/** With fewer values a curve would show its kernel, and not their distribution. */
const fewestValues = 8;

/**
 * Kernel density estimate with a Gaussian kernel at `places` positions, from below the smallest value to above the
 * largest. The bandwidth is Silverman's (1986, 3.31), but at least the smallest step between two values, because the
 * steps of a timer are not modes. null with fewer than 8 values, with fewer than 2 distinct ones, or with one that is not finite.
 */
export function densityOf(values: readonly number[], places = 128): Density | null {
  const sorted = sortedFinite(values);
  const bandwidth = sorted && bandwidthOf(sorted);
  if (sorted === null || bandwidth === null || sorted.length < fewestValues) return null;
  const low = (sorted[0] ?? 0) - 3 * bandwidth;
  const high = (sorted.at(-1) ?? 0) + 3 * bandwidth;
  const at = Array.from(
    { length: places },
    (_, place) => low + ((high - low) * place) / Math.max(1, places - 1),
  );
  return { at, density: densityAt(sorted, bandwidth, at), bandwidth };
}

/** The sorted values, reduced to quantiles when there are too many. */
export function representatives(sorted: readonly number[]): number[] {
  const values = [...sorted];
  if (values.length <= mostValues) return values;
  return Array.from({ length: mostValues }, (_, index) =>
    quantileSorted(values, (index + 0.5) / mostValues),
  );
}

/** The density of `sorted` at each position. */
export function densityAt(
  sorted: readonly number[],
  bandwidth: number,
  places: readonly number[],
): number[] {
  const density = kernelDensityEstimation(representatives(sorted), 'gaussian', bandwidth);
  return places.map((place) => density(place));
}

/** Silverman's bandwidth of sorted values; null with fewer than 2 distinct values. */
export function bandwidthOf(sorted: readonly number[]): number | null {
  const values = [...sorted];
  if (values.length < 2) return null;
  const deviation = sampleStandardDeviation(values);
  if (!(deviation > 0)) return null;
  const middleHalf = quantileSorted(values, 0.75) - quantileSorted(values, 0.25);
  const spread = middleHalf > 0 ? Math.min(deviation, middleHalf / 1.349) : deviation;
  return Math.max(0.9 * spread * values.length ** -0.2, smallestStep(values));
}

function smallestStep(sorted: readonly number[]): number {
  let smallest = Infinity;
  for (let index = 1; index < sorted.length; index++) {
    const step = (sorted[index] ?? 0) - (sorted[index - 1] ?? 0);
    if (step > 0 && step < smallest) smallest = step;
  }
  return smallest;
}
