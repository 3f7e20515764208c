import { expect, test } from 'vitest';
import { leastSquares, type Point } from './least-squares.ts';

/** Medians of cached reads by read delay, ms: 0, 1, 2, 5, 10, 20. */
const medians: Point[] = [
  [0, 13],
  [1, 20],
  [2, 35],
  [5, 61],
  [10, 114],
  [20, 213],
];

test('agrees with SciPy 1.17', () => {
  const line = leastSquares(medians);
  const critical = 2.7764451051977987; // t(4)
  expect(line?.slope).toBeCloseTo(10.047235023041477, 10);
  expect(line?.intercept).toBeCloseTo(12.367511520737317, 9);
  expect(line?.r2).toBeCloseTo(0.9997144441040448 ** 2, 10);
  expect(line?.slopeInterval.high).toBeCloseTo(
    10.047235023041477 + critical * 0.12007985540841898,
    8,
  );
  expect(line?.interceptInterval.low).toBeCloseTo(
    12.367511520737317 - critical * 1.1285803019502427,
    8,
  );
});

test('points on a line give that line with intervals of width 0; for a flat line and for three points r2 is null', () => {
  const line = leastSquares([
    [0, 7],
    [1, 9],
    [4, 15],
  ]);
  expect(line).toMatchObject({ slope: 2, intercept: 7, r2: null, points: 3 });
  expect(line?.slopeInterval.low).toBeCloseTo(2, 12);
  expect(
    leastSquares([
      [1, 5],
      [2, 5],
      [3, 5],
    ]),
  ).toMatchObject({ slope: 0, intercept: 5, r2: null });
});

test('two points, equal x and bad input give null', () => {
  expect(
    leastSquares([
      [0, 1],
      [1, 2],
    ]),
  ).toBeNull();
  expect(
    leastSquares([
      [3, 1],
      [3, 2],
      [3, 3],
    ]),
  ).toBeNull();
  expect(
    leastSquares([
      [0, 1],
      [1, Number.NaN],
      [2, 3],
    ]),
  ).toBeNull();
});
