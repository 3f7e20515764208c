import { bcaInterval } from '@cachescope/model/statistics/bca.ts';
import { holds } from '@cachescope/model/statistics/interval.ts';
import { differenceOfStrata } from '@cachescope/model/statistics/strata-bootstrap.ts';
import { orderStatisticInterval } from '@cachescope/model/statistics/order-statistics.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { medianResampler } from '@cachescope/model/statistics/resampled-median.ts';
import { type Law, laws, random, resamples, row, share, trials } from './statistics-simulation.ts';

/** Coverage of the intervals for independent samples. */
export function measureIndependent(): void {
  const sizes = [6, 10, 20, 50];
  console.log(
    `\nCoverage of 95 % intervals, % of ${trials} trials (goal: 95 +- 1), readings ${sizes.join(', ')}`,
  );
  for (const [name, law] of Object.entries(laws)) {
    row(
      `median, order statistics; ${name}`,
      sizes.map((size) => medianCoverage(size, law)),
    );
    const held = sizes.map((size) => differenceCoverage(size, law));
    row(
      `difference, BCa; ${name}`,
      held.map(({ difference }) => difference),
    );
    row(
      `ratio, BCa; ${name}`,
      held.map(({ ratio }) => ratio),
    );
  }
  const odd = [7, 11, 21, 51];
  row(
    `median, BCa (not used); normal; ${odd.join(', ')}`,
    odd.map((size) => bcaCoverage(size, laws.normal)),
  );
}

function draws(size: number, { draw }: Law): number[] {
  return Array.from({ length: size }, draw);
}

function medianCoverage(size: number, law: Law): number {
  return share(() => {
    const interval = orderStatisticInterval(draws(size, law));
    return interval !== null && holds(interval, law.median);
  });
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

function bcaCoverage(size: number, law: Law): number {
  return share(() => {
    const sorted = draws(size, law).toSorted((a, b) => a - b);
    const draw = medianResampler(sorted, random);
    const distribution = Float64Array.from({ length: resamples }, draw);
    const jackknife = [sorted.map((_, left) => median(sorted.toSpliced(left, 1)) ?? Number.NaN)];
    const estimate = median(sorted) ?? Number.NaN;
    return holds(bcaInterval({ estimate, distribution, jackknife }, 0.95), law.median);
  });
}
