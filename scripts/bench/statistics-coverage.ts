import { bcaInterval } from '@cachescope/model/statistics/bca.ts';
import { holds, type Interval } from '@cachescope/model/statistics/interval.ts';
import { differenceOfStrata } from '@cachescope/model/statistics/strata-bootstrap.ts';
import { orderStatisticInterval } from '@cachescope/model/statistics/order-statistics.ts';
import { modesOf } from '@cachescope/model/statistics/modes.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { medianResampler } from '@cachescope/model/statistics/resampled-median.ts';
import {
  coverage,
  type Law,
  laws,
  normal,
  random,
  resamples,
  row,
  share,
  trials,
} from './statistics-simulation.ts';

/** Coverage of the intervals for independent samples. */
export function measureIndependent(): void {
  const sizes = [6, 10, 20, 50];
  console.log(
    `\nCoverage of 95 % intervals, % of ${trials} trials (goal: 95 +- 1), readings ${sizes.join(', ')}`,
  );
  for (const [name, law] of Object.entries(laws)) {
    row(`median, order statistics; ${name}`, sizes, (size) =>
      coverage(() => orderStatisticInterval(draws(size, law)), law.median),
    );
    const held = new Map(sizes.map((size) => [size, differenceCoverage(size, law)]));
    row(`difference, BCa; ${name}`, sizes, (size) => held.get(size)?.difference ?? Number.NaN);
    row(`ratio, BCa; ${name}`, sizes, (size) => held.get(size)?.ratio ?? Number.NaN);
  }
  const odd = [7, 11, 21, 51];
  row(`median, BCa (not used); normal; ${odd.join(', ')}`, odd, (size) =>
    coverage(() => bcaOf(draws(size, laws.normal)), laws.normal.median),
  );
}

function draws(size: number, { draw }: Pick<Law, 'draw'>): number[] {
  return Array.from({ length: size }, draw);
}

function differenceCoverage(size: number, law: Law): { difference: number; ratio: number } {
  let ratios = 0;
  const difference = share(() => {
    const options = { random, resamples };
    const intervals = differenceOfStrata([draws(size, law)], [draws(size, law)], options);
    if (intervals?.relative && holds(intervals.relative, 0)) ratios++;
    return intervals !== null && holds(intervals.difference, 0);
  });
  return { difference, ratio: (100 * ratios) / trials };
}

function bcaOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const draw = medianResampler(sorted, random);
  const distribution = Float64Array.from({ length: resamples }, draw);
  const jackknife = [sorted.map((_, left) => median(sorted.toSpliced(left, 1)) ?? Number.NaN)];
  const estimate = median(sorted) ?? Number.NaN;
  return bcaInterval({ estimate, distribution, jackknife }, 0.95);
}

/** How often the counting of modes reports several: for one mode falsely, for two rightly. */
export function measureModes(): void {
  const sizes = [20, 50, 100, 300];
  console.log(`\nCalled multimodal, % of 1000 trials, readings ${sizes.join(', ')}`);
  const twoModes = (apart: number, part: number) => (): number =>
    20 + normal() + (random() < part ? apart : 0);
  const shapes: Record<string, () => number> = {
    ...Object.fromEntries(
      Object.entries(laws).map(([name, { draw }]) => [`one mode: ${name}`, draw]),
    ),
    'two: 30 % lie 4 sd further': twoModes(4, 0.3),
    'two: 50 % lie 5 sd further': twoModes(5, 0.5),
    'two: 20 % lie 6 sd further': twoModes(6, 0.2),
    'two: 20 % of hits at 2 are misses at 20': () =>
      random() < 0.2 ? 20 + normal() : 2 + normal() / 10,
  };
  for (const [name, draw] of Object.entries(shapes))
    row(name, sizes, (size) =>
      share(() => modesOf(draws(size, { draw }))?.multimodal ?? false, 1000),
    );
}
