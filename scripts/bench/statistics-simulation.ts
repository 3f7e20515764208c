import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { Comparison } from '@cachescope/model/statistics/comparison.ts';
import { holds, type Interval } from '@cachescope/model/statistics/interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { normalVariate } from '@cachescope/model/statistics/resampled-median.ts';
import { judge } from '@cachescope/model/statistics/verdict.ts';

export const trials = 20_000;
/** Fewer trials for simulations that sample in batches: they make one comparison per interim analysis. */
export const stoppingTrials = 2000;
/** Enough within a simulation: averaging over the trials removes the noise of few resamples. */
export const resamples = 1000;

export const random = createRandom(20_261_120);
export const normal = normalVariate(random);

/** Distributions of a read time, ms, with their medians. */
export const laws = {
  normal: { draw: () => 20 + normal(), median: 20 },
  'skewed (lognormal)': { draw: () => 20 * Math.exp(normal() / 2), median: 20 },
  'waiting (exponential)': { draw: () => 10 - Math.log(1 - random()), median: 10 + Math.LN2 },
  'timer of 0.1 sd': { draw: () => Math.round(10 * (20 + normal())) / 10, median: 20 },
};
export type Law = (typeof laws)[keyof typeof laws];

/** Percentage of trials in which `happens` returns true. */
export function share(happens: () => boolean, count = trials): number {
  let happened = 0;
  for (let trial = 0; trial < count; trial++) if (happens()) happened++;
  return (100 * happened) / count;
}

export function independent(size: number, { draw }: Law): Reading[] {
  return Array.from({ length: size }, () => ({ value: draw(), launch: null }));
}

/** Prints a line of a table: a value for each size. */
export function row(name: string, sizes: readonly number[], valueOf: (size: number) => number) {
  const values = sizes.map((size) => valueOf(size).toFixed(2).padStart(8));
  console.log(`  ${name.padEnd(46)}${values.join('')}`);
}

/** Percentage of the intervals that contain the truth. */
export function coverage(draw: () => Interval | null, truth: number, count = trials): number {
  return share(() => {
    const interval = draw();
    return interval !== null && holds(interval, truth);
  }, count);
}

export function isDifferent(comparison: Comparison, alpha = 0.05): boolean {
  return (
    judge([comparison], { better: 'lower', alpha, inconclusive: null })[0]?.outcome === 'DIFFERENT'
  );
}
