import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { Comparison } from '@cachescope/model/statistics/comparison.ts';
import { holds, type Interval } from '@cachescope/model/statistics/interval.ts';
import { type Reading } from '@cachescope/model/statistics/readings.ts';
import { normalVariate } from '@cachescope/model/fixtures/normal-variate.ts';
import { verdictOf } from '@cachescope/model/statistics/verdict.ts';

export const trials = 20_000;
/** Fewer trials for simulations that sample in batches: they make one comparison per interim analysis. */
export const stoppingTrials = 2000;

export const random = createRandom(20_261_120);
export const normal = normalVariate(random);

/** Distributions of a read time, ms, with their levels: geometric means. */
export const laws = {
  normal: lawOf(() => 20 + normal()),
  'skewed (lognormal)': lawOf(() => 20 * Math.exp(normal() / 2)),
  'waiting (exponential)': lawOf(() => 10 - Math.log(1 - random())),
  'timer of 0.1 sd': lawOf(() => Math.round(10 * (20 + normal())) / 10),
};
export type Law = (typeof laws)[keyof typeof laws];

function lawOf(draw: () => number): { draw: () => number; level: number } {
  const drawn = 1_000_000;
  let logs = 0;
  for (let count = 0; count < drawn; count++) logs += Math.log(draw());
  return { draw, level: Math.exp(logs / drawn) };
}

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

export function isDifferent(comparison: Comparison): boolean {
  return verdictOf(comparison, { better: 'lower', inconclusive: null }).outcome === 'DIFFERENT';
}
