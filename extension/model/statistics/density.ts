import {
  kernelDensityEstimation,
  sampleStandardDeviation,
  quantileSorted,
} from 'simple-statistics';
import { sortedFinite } from './quantile.ts';

/** An estimated density: how thickly the values lie. */
export interface Density {
  /** Where, rising, in the unit of the values. */
  at: number[];
  /** Share of the values per unit, at each place. */
  density: number[];
  /** Standard deviation of the Gaussian that each value was spread to, in the unit of the values. */
  bandwidth: number;
}

/** Above this many values, as many quantiles stand for them: the estimate takes values times places. */
const mostValues = 500;

/**
 * Kernel density estimate with a Gaussian kernel at `places` places from below the smallest value to above the greatest.
 * The bandwidth is Silverman's (1986, 3.31), and never below the smallest step between two values: a timer's steps are
 * not modes. null with fewer than 2 distinct values (nothing to spread over) or with one that is not finite.
 */
export function densityOf(values: readonly number[], places = 128): Density | null {
  const sorted = sortedFinite(values);
  const bandwidth = sorted && bandwidthOf(sorted);
  if (sorted === null || bandwidth === null) return null;
  const low = (sorted[0] ?? 0) - 3 * bandwidth;
  const high = (sorted.at(-1) ?? 0) + 3 * bandwidth;
  const at = Array.from(
    { length: places },
    (_, place) => low + ((high - low) * place) / Math.max(1, places - 1),
  );
  return { at, density: densityAt(sorted, bandwidth, at), bandwidth };
}

/** Values, rising, thinned to quantiles when they are too many. */
export function representatives(sorted: readonly number[]): number[] {
  const values = [...sorted];
  if (values.length <= mostValues) return values;
  return Array.from({ length: mostValues }, (_, index) =>
    quantileSorted(values, (index + 0.5) / mostValues),
  );
}

/** The density of `sorted` at each place. */
export function densityAt(
  sorted: readonly number[],
  bandwidth: number,
  places: readonly number[],
): number[] {
  const density = kernelDensityEstimation(representatives(sorted), 'gaussian', bandwidth);
  return places.map((place) => density(place));
}

/** Silverman's bandwidth of rising values; null with fewer than 2 distinct ones. */
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
