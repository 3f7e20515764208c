import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { launchDifference, launchGap } from './launch-gap.ts';
import { intervalAround } from './welch.ts';

/** Five launches of five values each. */
const launchesOf = (values: readonly number[]) =>
  [0, 5, 10, 15, 20].map((start) => values.slice(start, start + 5));
const [of, against] = [launchesOf(normalish), launchesOf(skewed)];

// SciPy 1.17 and NumPy: stats.ttest_rel of the logarithms of the launches' medians, each times its group's level.
test('paired by launch: agrees with SciPy', () => {
  const gap = launchGap({ kind: 'paired by launch', of, against });
  expect(gap?.value).toBeCloseTo(0.9412479006999348, 10);
  expect(gap?.freedom).toBe(4);
  const ms = gap && intervalAround(gap, 0.95);
  expect(ms?.low).toBeCloseTo(-11.80254801126917, 9);
  expect(ms?.high).toBeCloseTo(13.68504381266904, 9);
});

test('launches of their own: the errors of the groups add up', () => {
  const errorOf = (one: typeof of, other: typeof of) =>
    launchGap({ kind: 'by launch', of: one, against: other })?.error ?? 0;
  const constant = against.map(() => [98]);
  const [first, second] = [errorOf(of, constant), errorOf(constant, against)];
  expect(errorOf(of, against)).toBeCloseTo(Math.hypot(first, second), 10);
});

test('launch effects on both groups cancel', () => {
  const times = (launches: typeof of) =>
    launches.map((values, launch) => values.map((value) => value * 2 ** launch));
  const gap = launchGap({ kind: 'paired by launch', of: times(of), against: times(of) });
  expect(gap).toMatchObject({ value: 0, error: 0 });
});

test('a launch with a median of 0 has no logarithm: the means are arithmetic', () => {
  const gap = launchGap({ kind: 'by launch', of: [[0], [1], [2]], against: [[1], [1], [1]] });
  expect(gap).toMatchObject({ value: 0, error: expect.closeTo(Math.sqrt(1 / 3), 12) });
});

test('fewer than three launches or a value that is not finite give null', () => {
  expect(launchGap({ kind: 'by launch', of: of.slice(0, 2), against })).toBeNull();
  expect(launchDifference('paired by launch', [1, Number.NaN, 2], [1, 2, 3])).toBeNull();
});
