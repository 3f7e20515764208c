import { expect, test } from 'vitest';
import { bandwidthOf, densityAt, densityOf, representatives } from './density.ts';
import { skewed } from '../fixtures/two-groups.ts';

test('the estimate agrees with SciPy 1.17 at a given bandwidth', () => {
  const [at90, at105, at130] = densityAt(skewed, 3, [90, 105, 130]);
  expect(at90).toBeCloseTo(0.00505626, 8);
  expect(at105).toBeCloseTo(0.0266528, 7);
  expect(at130).toBeCloseTo(0.00719218, 8);
});

test('the density covers all values: its area is 1', () => {
  const density = densityOf(skewed, 256);
  const step = (density?.at[1] ?? 0) - (density?.at[0] ?? 0);
  const area = (density?.density ?? []).reduce((total, height) => total + height * step, 0);
  expect(density?.at).toHaveLength(256);
  expect(area).toBeGreaterThan(0.99);
  expect(area).toBeLessThan(1.001);
});

test("Silverman's bandwidth, computed by hand; never below a timer's step", () => {
  // 0 to 9: standard deviation 3.0277, interquartile range 4.5 / 1.349 = 3.3358; 0.9 * 3.0277 * 10^-0.2 = 1.7193.
  expect(bandwidthOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeCloseTo(1.7193, 3);
  expect(bandwidthOf([0, 0, 0, 0, 0, 0, 0, 5])).toBe(5);
});

test('without spread the result is null', () => {
  expect([densityOf([]), densityOf([1]), densityOf([2, 2, 2]), densityOf([1, Number.NaN])]).toEqual(
    [null, null, null, null],
  );
});

test('many values are replaced by their quantiles', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => index);
  const thinned = representatives(many);
  expect(thinned).toHaveLength(500);
  expect(thinned[250]).toBeCloseTo(5009.5, -1);
});
