import { expect, test } from 'vitest';
import { slopeOverLaunches } from './launch-slopes.ts';

/** Launches with slopes of their own, and far apart in level. */
const reads = (slopes: readonly number[], delaysMs: readonly number[]) =>
  slopes.flatMap((slope, launch) =>
    delaysMs.map((delayMs) => ({ launch, delayMs, readMs: 20 + 50 * launch + slope * delayMs })),
  );

test('what a launch adds to all its reads is not in the slope', () => {
  const found = slopeOverLaunches(reads([5, 6, 7], [0, 2, 4, 8]));
  expect(found?.slope).toBeCloseTo(6, 9);
  // t of 2 degrees of freedom, 4.302653, times 1 / sqrt(3).
  expect(found?.interval.low).toBeCloseTo(6 - 4.302653 / Math.sqrt(3), 5);
  expect(found?.interval.high).toBeCloseTo(6 + 4.302653 / Math.sqrt(3), 5);
});

test('launches that stood at one delay each, or two launches, give none', () => {
  expect(slopeOverLaunches(reads([5, 6, 7], [4]))).toBeNull();
  expect(slopeOverLaunches(reads([5, 6], [0, 2, 4]))).toBeNull();
});
