import { expect, test } from 'vitest';
import { slopeOverLaunches } from './launch-slopes.ts';

/** Launches with different slopes and very different levels. */
const reads = (slopes: readonly number[], delaysMs: readonly number[]) =>
  slopes.flatMap((slope, launch) =>
    delaysMs.map((delayMs) => ({ launch, delayMs, readMs: 20 + 50 * launch + slope * delayMs })),
  );

test('an offset that a launch adds to all its reads does not affect the slope', () => {
  const found = slopeOverLaunches(reads([5, 6, 7], [0, 2, 4, 8]));
  expect(found?.slope).toBeCloseTo(6, 9);
  // t with 2 degrees of freedom, 4.302653, times 1 / sqrt(3).
  expect(found?.interval.low).toBeCloseTo(6 - 4.302653 / Math.sqrt(3), 5);
  expect(found?.interval.high).toBeCloseTo(6 + 4.302653 / Math.sqrt(3), 5);
});

test('a launch that an interrupt left with one delay is left out', () => {
  const whole = reads([5, 6, 7, 8], [0, 2, 4]);
  const cut = { launch: 4, delayMs: 4, readMs: 300 };
  expect(slopeOverLaunches([...whole, cut])).toEqual(slopeOverLaunches(whole));
});

test('launches with one delay each, or two launches, give no slope', () => {
  expect(slopeOverLaunches(reads([5, 6, 7], [4]))).toBeNull();
  expect(slopeOverLaunches(reads([5, 6], [0, 2, 4]))).toBeNull();
});
