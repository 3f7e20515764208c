import { quantileSorted } from 'simple-statistics';
import type { Interval } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';

/** What a bias-corrected and accelerated bootstrap interval rests on. All in the unit of the estimate. */
export interface Bootstrap {
  /** The statistic of the data themselves. */
  estimate: number;
  /** The statistic of each resample. */
  distribution: Float64Array;
  /**
   * The statistic with one unit left out, for each unit in turn: a unit is what is drawn, one value or one launch. One list
   * for each group that is drawn by itself.
   */
  jackknife: readonly (readonly number[])[];
}

/**
 * The BCa interval of Efron (1987), "Better bootstrap confidence intervals": percentiles of the bootstrap distribution,
 * moved for its bias and for how its spread changes with the estimate. Second-order correct for smooth statistics; for
 * medians, which are not smooth, its coverage was simulated (scripts/bench/statistics.ts).
 * A distribution wholly on one side of the estimate has no bias that could be computed: its plain percentiles are given.
 */
export function bcaInterval(bootstrap: Bootstrap, confidence: number): Interval {
  const sorted = Array.from(bootstrap.distribution.toSorted());
  const z0 = normalQuantile(shareBelow(bootstrap));
  const acceleration = accelerationOf(bootstrap.jackknife);
  const end = (p: number): number => quantileSorted(sorted, corrected(p, z0, acceleration));
  const tail = (1 - confidence) / 2;
  return { low: end(tail), high: end(1 - tail) };
}

/** Where the percentile `p` moves to. */
function corrected(p: number, z0: number, acceleration: number): number {
  const z = z0 + normalQuantile(p);
  const scale = 1 - acceleration * z;
  return Number.isFinite(z0) && scale > 0 ? normalCdf(z0 + z / scale) : p;
}

/** Share of the distribution below the estimate; what equals it counts half, as medians of few values often do. */
function shareBelow({ distribution, estimate }: Bootstrap): number {
  let doubled = 0;
  for (const value of distribution) {
    if (value < estimate) doubled += 2;
    else if (value === estimate) doubled += 1;
  }
  return doubled / (2 * distribution.length);
}

/** Efron's acceleration from the jackknife, over several groups as in Davison and Hinkley (1997), 5.3.2. 0 without spread. */
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
