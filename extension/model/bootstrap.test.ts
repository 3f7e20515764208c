import { expect, test } from 'vitest';
import { differenceInterval, percentileInterval, resampledMedians } from './bootstrap.ts';
import { createRandom } from './random.ts';

test('95 % intervals hold the true median in about 95 % of repetitions', () => {
  const random = createRandom(20);
  const trials = 300;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    // Uniform on [0, 1): the true median is 0.5.
    const values = Array.from({ length: 20 }, random);
    const medians = resampledMedians([values.slice(0, 10), values.slice(10)], random);
    const { low, high } = percentileInterval(medians ?? []);
    if (low <= 0.5 && 0.5 <= high) held++;
  }
  expect(held / trials).toBeGreaterThan(0.91);
  expect(held / trials).toBeLessThan(0.99);
});

test('every launch keeps its share of each resample', () => {
  // Were launches mixed, resamples with a majority of ones, and of hundreds, would appear.
  const medians = resampledMedians(
    [
      [1, 1, 1],
      [100, 100, 100],
    ],
    createRandom(1),
  );
  expect(new Set(medians)).toEqual(new Set([50.5]));
});

test('equal values have an interval of no width', () => {
  const medians = resampledMedians([[4, 4, 4, 4, 4]], createRandom(3)) ?? [];
  expect(percentileInterval(medians)).toEqual({ low: 4, high: 4 });
  expect(differenceInterval(medians, medians)).toEqual({ low: 0, high: 0 });
});

test('fewer than five values say nothing', () => {
  expect(
    resampledMedians(
      [
        [1, 2],
        [3, 4],
      ],
      createRandom(1),
    ),
  ).toBeNull();
});
