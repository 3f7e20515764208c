import { expect, test } from 'vitest';
import { fitLine } from './regression.ts';

test('points on a line give that line and no doubt', () => {
  const fit = fitLine([
    [0, 7],
    [1, 9],
    [4, 15],
  ]);
  expect(fit?.slope).toBeCloseTo(2, 12);
  expect(fit?.intercept).toBeCloseTo(7, 12);
  expect(fit?.r2).toBeCloseTo(1, 12);
  expect(fit?.slopeInterval.low).toBeCloseTo(2, 9);
});

test('slope, interval and R2 agree with a worked example', () => {
  // By hand: x 1..5, y 2 4 5 4 5; slope 0.6, intercept 2.2, residual sum 2.4, total sum 6, t(3) = 3.182.
  const fit = fitLine([
    [1, 2],
    [2, 4],
    [3, 5],
    [4, 4],
    [5, 5],
  ]);
  const margin = 3.182 * Math.sqrt(2.4 / 3 / 10);
  expect(fit?.slope).toBeCloseTo(0.6, 12);
  expect(fit?.intercept).toBeCloseTo(2.2, 12);
  expect(fit?.r2).toBeCloseTo(0.6, 12);
  expect(fit?.slopeInterval.low).toBeCloseTo(0.6 - margin, 9);
  expect(fit?.slopeInterval.high).toBeCloseTo(0.6 + margin, 9);
});

test('many points use the series for t: 2.0860 at 20 degrees of freedom', () => {
  const points = Array.from({ length: 22 }, (_, x) => [x, x + (x % 2)] as const);
  const fit = fitLine(points);
  const spread = (22 * (22 ** 2 - 1)) / 12;
  const residual = points.reduce(
    (total, [x, y]) => total + (y - (fit?.intercept ?? 0) - (fit?.slope ?? 0) * x) ** 2,
    0,
  );
  const margin = (fit?.slopeInterval.high ?? 0) - (fit?.slope ?? 0);
  expect(margin / Math.sqrt(residual / 20 / spread)).toBeCloseTo(2.086, 3);
});

test('no line through two points or through one x; no R2 of a flat line', () => {
  expect(
    fitLine([
      [1, 1],
      [2, 2],
    ]),
  ).toBeNull();
  expect(
    fitLine([
      [3, 1],
      [3, 2],
      [3, 3],
    ]),
  ).toBeNull();
  expect(
    fitLine([
      [1, 5],
      [2, 5],
      [3, 5],
    ]),
  ).toMatchObject({ slope: 0, r2: null });
});
