import { expect, test } from 'vitest';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { normalish } from '../fixtures/two-groups.ts';
import { medianInterval } from './median-interval.ts';
import { createRandom } from './random.ts';
import type { Reading } from './readings.ts';

function inLaunches(...launches: number[][]): Reading[] {
  return launches.flatMap((values, launch) => values.map((value) => ({ value, launch })));
}

// SciPy 1.17: stats.ttest_1samp of the logarithms of the launches' medians, and NumPy.
test('t over the logarithms of the medians of the launches', () => {
  const launches = [0, 5, 10, 15, 20].map((start) => normalish.slice(start, start + 5));
  const estimate = medianInterval(inLaunches(...launches));
  expect(estimate).toMatchObject({ noInterval: null, readings: 25, launches: 5 });
  expect(estimate.median).toBeCloseTo(98.69528004245886, 10);
  expect(estimate.interval?.low).toBeCloseTo(94.64273000308968, 9);
  expect(estimate.interval?.high).toBeCloseTo(102.9213580624881, 9);
});

test('the median stays the same kind of value with one reading in each launch', () => {
  expect(medianInterval(inLaunches([2], [8], [4])).median).toBeCloseTo(4, 12);
  const unknown = [2, 8, 4].map((value) => ({ value, launch: null }));
  expect(medianInterval(unknown)).toMatchObject({ launches: 3, noInterval: null });
});

test.each([
  [[[1, 2, 3, 4, 5, 6, 7]], 4],
  [
    [
      [10, 10, 10, 10],
      [40, 40, 40, 40],
    ],
    20,
  ],
])('fewer than three launches give a level and no interval', (launches, level) => {
  const estimate = medianInterval(inLaunches(...launches));
  expect(estimate).toMatchObject({ interval: null, noInterval: 'too few launches' });
  expect(estimate.median).toBeCloseTo(level, 12);
});

test('missing and bad readings give no interval, with the reason; constant ones give one of width 0', () => {
  const none = { median: null, interval: null, noInterval: 'no usable readings' };
  expect(medianInterval([])).toMatchObject(none);
  expect(medianInterval(inLaunches([1, Number.NaN], [1], [1]))).toMatchObject(none);
  const constant = medianInterval(inLaunches([7, 7], [7], [7]));
  expect(constant.interval?.low).toBeCloseTo(7, 12);
  expect(constant.interval?.high).toBeCloseTo(7, 12);
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
      const { interval } = medianInterval(inLaunches(...launches));
      sum += (interval?.high ?? 0) - (interval?.low ?? 0);
    }
    return sum / 300;
  };
  const widths = [3, 5, 9, 10, 12, 20].map(meanWidth);
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
});

test.each([3, 12])('with %i launches that differ, intervals contain the true level', (count) => {
  const normal = normalVariate(createRandom(8));
  const trials = 400;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const launches = Array.from({ length: count }, () => {
      const level = 100 + 2 * normal();
      return [level + normal(), level + normal(), level + normal(), level + normal()];
    });
    const { interval } = medianInterval(inLaunches(...launches));
    if (interval && interval.low <= 100 && 100 <= interval.high) held++;
  }
  // Three standard errors of a share of 0.95 in 400 trials are 0.033.
  expect(held / trials).toBeGreaterThan(0.917);
});
