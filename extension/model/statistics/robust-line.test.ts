import { expect, test } from 'vitest';
import type { Point } from './least-squares.ts';
import { robustLine } from './robust-line.ts';
import { relativeLine } from './weighted-line.ts';

const line = (xs: readonly number[], factor: (x: number) => number = () => 1): Point[] =>
  xs.map((x) => [x, (6 + 7 * x) * factor(x)]);
const scattered = (x: number) => 1 + 0.02 * Math.sin(9 * x);

test.each([2, 4, 6, 8, 10])('a point at %d that is off by a fifth is excluded', (wrong) => {
  const points = line([0, 2, 4, 6, 8, 10], (x) => scattered(x) * (x === wrong ? 0.8 : 1));
  const found = robustLine(points);
  expect(found?.leftOut).toEqual([wrong / 2]);
  expect(found?.line).toEqual(relativeLine(points.filter(([x]) => x !== wrong)));
});

test('points with scatter or on a curve are all kept', () => {
  const xs = [0, 2, 4, 6, 8, 10];
  const points = line(xs, scattered);
  expect(robustLine(points)).toEqual({ line: relativeLine(points), leftOut: [] });
  expect(robustLine(line(xs, (x) => 1 + x / 40))?.leftOut).toEqual([]);
});

test('with four points no outlier is identified; with many outliers, the line is wrong', () => {
  expect(robustLine(line([0, 2, 4, 6], (x) => (x === 2 ? 1.5 : 1)))?.leftOut).toEqual([]);
  expect(robustLine(line([0, 2, 4, 6, 8], (x) => (x > 5 ? 1.5 : 1)))?.leftOut).toEqual([]);
});
