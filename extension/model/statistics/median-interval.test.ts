import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { medianInterval } from './median-interval.ts';
import { orderStatisticInterval } from './order-statistics.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';
import { normalish } from '../fixtures/two-groups.ts';

const options = { random: createRandom(1), resamples: 400 };

function inLaunches(...launches: number[][]): Reading[] {
  return launches.flatMap((values, launch) => values.map((value) => ({ value, launch })));
}

test('independent readings: order statistics', () => {
  const values = [5, 1, 4, 2, 3, 6, 9, 7];
  const estimate = medianInterval(
    values.map((value, launch) => ({ value, launch })),
    options,
  );
  expect(estimate).toEqual({
    median: 4.5,
    interval: orderStatisticInterval(values),
    method: 'order statistics',
    noInterval: null,
    readings: 8,
    launches: 8,
  });
});

// SciPy 1.17: stats.ttest_1samp of the logarithms of the launches' medians, and NumPy.
test('launches: t over the logarithms of their medians', () => {
  const launches = [0, 5, 10, 15, 20].map((start) => normalish.slice(start, start + 5));
  const estimate = medianInterval(inLaunches(...launches), options);
  expect(estimate).toMatchObject({ method: 't over launches', readings: 25, launches: 5 });
  expect(estimate.median).toBeCloseTo(98.69528004245886, 10);
  expect(estimate.interval?.low).toBeCloseTo(94.64273000308968, 9);
  expect(estimate.interval?.high).toBeCloseTo(102.9213580624881, 9);
});

test('scope of two launches only: the mean of their medians, with the scatter within launches', () => {
  const [low, high] = [
    [9, 9.5, 10, 10.5, 11],
    [90, 95, 100, 105, 110],
  ];
  const readings = inLaunches(low, high);
  const these = medianInterval(readings, { ...options, scope: 'these launches' });
  expect(these.method).toBe('bootstrap');
  expect(these.median).toBeCloseTo(Math.sqrt(1000), 12);
  expect(these.interval?.low).toBeGreaterThan(27);
  expect(these.interval?.high).toBeLessThan(36);
  // Scope any launch: medians of 10 and 100 give a useless interval.
  expect(medianInterval(readings, options).interval?.high).toBeGreaterThan(1e6);
});

test('more launches do not make the interval wider on average', () => {
  const normal = normalVariate(createRandom(4));
  const meanWidth = (count: number) => {
    let sum = 0;
    for (let trial = 0; trial < 300; trial++) {
      const launches = Array.from({ length: count }, () => {
        const level = 100 + 10 * normal();
        return [level + 5 * normal(), level + 5 * normal(), level + 5 * normal()];
      });
      const { interval } = medianInterval(inLaunches(...launches), options);
      sum += (interval?.high ?? 0) - (interval?.low ?? 0);
    }
    return sum / 300;
  };
  const widths = [3, 5, 9, 10, 12, 20].map(meanWidth);
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
});

test('one launch gives no interval, unless the scope is these launches', () => {
  const readings = inLaunches([1, 2, 3, 4, 5, 6, 7]);
  expect(medianInterval(readings, options)).toMatchObject({
    median: 4,
    interval: null,
    method: null,
    noInterval: 'too few launches',
  });
  const these = medianInterval(readings, { ...options, scope: 'these launches' });
  expect(these).toMatchObject({ method: 'order statistics', noInterval: null });
});

test('missing, few and bad readings give no interval, with the reason; constant ones give one of width 0', () => {
  const of = (values: number[]): Reading[] => values.map((value) => ({ value, launch: null }));
  expect(medianInterval([], options)).toMatchObject({
    median: null,
    noInterval: 'no usable readings',
  });
  expect(medianInterval(of([1, Number.NaN]), options)).toMatchObject({
    median: null,
    noInterval: 'no usable readings',
  });
  expect(medianInterval(of([1]), options)).toMatchObject({
    median: 1,
    noInterval: 'too few readings',
  });
  expect(medianInterval(of([7, 7, 7, 7, 7, 7]), options)).toMatchObject({
    median: 7,
    interval: { low: 7, high: 7 },
  });
});

test('the same seed gives the same interval', () => {
  const normal = normalVariate(createRandom(3));
  const launches = Array.from({ length: 2 }, () => Array.from({ length: 12 }, () => 50 + normal()));
  const readings = inLaunches(...launches);
  const interval = (seed: number) =>
    medianInterval(readings, { random: createRandom(seed), scope: 'these launches' }).interval;
  expect(interval(5)).toEqual(interval(5));
  expect(interval(5)).not.toEqual(interval(6));
});

test.each([2, 12])('with %i launches that differ, intervals contain the true median', (count) => {
  const normal = normalVariate(createRandom(8));
  const trials = 400;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const launches = Array.from({ length: count }, () => {
      const level = 100 + 2 * normal();
      return [level + normal(), level + normal(), level + normal(), level + normal()];
    });
    const { interval } = medianInterval(inLaunches(...launches), options);
    if (interval && interval.low <= 100 && 100 <= interval.high) held++;
  }
  // Three standard errors of a share of 0.95 in 400 trials are 0.033; treated as independent, readings cover about
  // 0.65.
  expect(held / trials).toBeGreaterThan(0.917);
});
