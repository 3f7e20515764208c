import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import type { Point } from './least-squares.ts';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { theilSen } from './theil-sen.ts';

const withOutlier = [3.1, 4.4, 4.1, 7.9, 8.2, 8.1, 11.5, 12.1, 11.9, 15.2, 40, 17.1].map(
  (y, x): Point => [x, y],
);

test('agrees with SciPy 1.17, which approximates the interval', () => {
  const line = theilSen(withOutlier);
  expect(line?.slope).toBeCloseTo(1.3, 12);
  expect(line?.intercept).toBeCloseTo(2.7, 12);
  // The exact distribution and the normal approximation agree here on which slopes to cut.
  expect(line?.slopeInterval?.low).toBeCloseTo(1.15, 12);
  expect(line?.slopeInterval?.high).toBeCloseTo(1.7333333333333336, 12);
});

test('ties of x: the normal approximation agrees with SciPy 1.17', () => {
  const tied: Point[] = [
    [1, 2],
    [1, 3],
    [2, 4],
    [2, 5],
    [3, 4],
    [3, 6],
    [4, 8],
    [4, 7],
  ];
  const line = theilSen(tied);
  expect(line?.slope).toBeCloseTo(1.5833333333333335, 12);
  expect(line?.slopeInterval).toEqual({ low: 1, high: 2 });
});

test('five points: the range of all slopes, from the distribution of S', () => {
  // Of 120 permutations, one has no inversion: probability 1/60 for both sides, and 5/60 with at most one inversion.
  const points: Point[] = [
    [0, 0],
    [1, 1],
    [2, 4],
    [3, 9],
    [4, 16],
  ];
  expect(theilSen(points)?.slopeInterval).toEqual({ low: 1, high: 7 });
  expect(theilSen(points.slice(0, 4))).toMatchObject({ slope: 3, slopeInterval: null });
});

test('equal x, one point, too many points and bad input give null', () => {
  expect(
    theilSen([
      [3, 1],
      [3, 2],
    ]),
  ).toBeNull();
  expect(theilSen([[3, 1]])).toBeNull();
  expect(
    theilSen([
      [3, 1],
      [4, Infinity],
    ]),
  ).toBeNull();
  expect(theilSen(Array.from({ length: 2001 }, (_, x): Point => [x, x]))).toBeNull();
});

test.each([12, 30])('for %i autocorrelated points, the interval contains a slope of 0', (size) => {
  const normal = normalVariate(createRandom(7));
  const trials = 400;
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    let level = normal();
    const points = Array.from({ length: size }, (_, x): [number, number] => {
      level = 0.5 * level + Math.sqrt(0.75) * normal();
      return [x, level];
    });
    const { slopeInterval } = theilSen(points, 0.95, true) ?? {};
    if (slopeInterval && slopeInterval.low <= 0 && 0 <= slopeInterval.high) held++;
  }
  // Three standard errors of a share of 0.95 in 400 trials are 0.033; treated as independent they cover 77 to 82 %.
  expect(held / trials).toBeGreaterThan(0.917);
});
