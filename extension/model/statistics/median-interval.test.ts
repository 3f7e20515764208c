import { createRandom } from '@cachescope/model/random.ts';
import { expect, test } from 'vitest';
import { medianInterval } from './median-interval.ts';
import { orderStatisticInterval } from './order-statistics.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';
import { oneSampleT } from './welch.ts';

const options = { random: createRandom(1), resamples: 400 };

function inLaunches(...launches: number[][]): Reading[] {
  return launches.flatMap((values, launch) => values.map((value) => ({ value, launch })));
}

test('independent readings go by their order', () => {
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

test('two launches: t over their medians, however many readings they hold', () => {
  const readings = inLaunches([9, 10, 11], [19, 20, 21]);
  const estimate = medianInterval(readings, options);
  expect(estimate.method).toBe('t over launches');
  expect(estimate.interval).toEqual(oneSampleT([10, 20])?.interval);
});

test('launches that happen to agree do not make the interval narrower than the readings allow', () => {
  const readings = inLaunches([5, 10, 15, 20], [5, 10, 15, 20]);
  const values = readings.map(({ value }) => value);
  expect(medianInterval(readings, options).interval).toEqual(orderStatisticInterval(values));
});

test('one launch gives no interval, unless it is all that is asked about', () => {
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

test('no, few and bad readings give no interval and say why; constant ones have no width', () => {
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
  const launches = Array.from({ length: 12 }, () => [normal(), normal(), normal()]);
  const readings = inLaunches(...launches);
  const interval = (seed: number) =>
    medianInterval(readings, { random: createRandom(seed) }).interval;
  expect(medianInterval(readings, options).method).toBe('bootstrap over launches');
  expect(interval(5)).toEqual(interval(5));
  expect(interval(5)).not.toEqual(interval(6));
});

test.each([2, 12])('with %i launches that differ, intervals hold the true median', (count) => {
  const normal = normalVariate(createRandom(8));
  const trials = 400;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const launches = Array.from({ length: count }, () => {
      const level = 2 * normal();
      return [level + normal(), level + normal(), level + normal(), level + normal()];
    });
    const { interval } = medianInterval(inLaunches(...launches), options);
    if (interval && interval.low <= 0 && 0 <= interval.high) held++;
  }
  // Three standard errors of a share of 0.95 in 400 trials are 0.033; readings taken for independent cover about 0.65.
  expect(held / trials).toBeGreaterThan(0.917);
});
