import { quantileSorted } from 'simple-statistics';
import type { Interval } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/** Input of a bias-corrected and accelerated (BCa) bootstrap interval. All values in the unit of the estimate. */
export interface Bootstrap {
  /** The statistic of the original data. */
  estimate: number;
  /** The statistic of each resample. */
  distribution: Float64Array;
  /**
   * Jackknife values: the statistic with each unit left out in turn. A unit is the thing that is resampled: one value
   * or one launch. One list per independently resampled group.
   */
  jackknife: readonly (readonly number[])[];
}

/**
 * The BCa interval of Efron (1987), "Better bootstrap confidence intervals": percentiles of the bootstrap distribution,
 * corrected for bias and for a spread that changes with the estimate. It is second-order correct for smooth statistics.
 * Medians are not smooth; their coverage was simulated (scripts/bench/statistics.ts). When the whole distribution is on
 * one side of the estimate, the bias correction is infinite; the plain percentiles are then returned.
 */
export function bcaInterval(bootstrap: Bootstrap, confidence: number): Interval {
  const sorted = Array.from(bootstrap.distribution.toSorted());
  const z0 = normalQuantile(shareBelow(bootstrap));
  const acceleration = accelerationOf(bootstrap.jackknife);
  const end = (p: number): number => quantileSorted(sorted, corrected(p, z0, acceleration));
  const tail = (1 - confidence) / 2;
  return { low: end(tail), high: end(1 - tail) };
}

/** The BCa-corrected percentile of `p`. */
function corrected(p: number, z0: number, acceleration: number): number {
  const z = z0 + normalQuantile(p);
  const scale = 1 - acceleration * z;
  return Number.isFinite(z0) && scale > 0 ? normalCdf(z0 + z / scale) : p;
}

/**
 * Share of the distribution below the estimate. Values equal to it count half, because medians of few values are often
 * tied.
 */
function shareBelow({ distribution, estimate }: Bootstrap): number {
  let doubled = 0;
  for (const value of distribution) {
    if (value < estimate) doubled += 2;
    else if (value === estimate) doubled += 1;
  }
  return doubled / (2 * distribution.length);
}

/**
 * Efron's acceleration from the jackknife values, for several groups as in Davison and Hinkley (1997), 5.3.2. 0 without
 * spread.
 */
function accelerationOf(groups: readonly (readonly number[])[]): number {
  let [squares, cubes] = [0, 0];
  for (const leftOut of groups) {
    const size = leftOut.length;
    const mean = leftOut.reduce((total, value) => total + value, 0) / size;
    for (const value of leftOut) {
      const influence = ((size - 1) * (mean - value)) / size;
      squares += influence ** 2;
      cubes += influence ** 3;
    }
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}
