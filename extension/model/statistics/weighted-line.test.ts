import { expect, test } from 'vitest';
import type { Point } from './least-squares.ts';
import { relativeCurvature, relativeLine, relativeLineErrors } from './weighted-line.ts';

const points: Point[] = [
  [0.1, 16],
  [2.5, 33],
  [4.6, 40.2],
  [6.7, 54],
  [8.8, 64.4],
  [10.7, 78.9],
];

// NumPy 2.4: linalg.lstsq of the rows (1, x) / y against 1, and s^2 (X'X)^-1.
test('line, standard errors and curvature agree with NumPy', () => {
  const line = relativeLine(points);
  expect(line?.intercept).toBeCloseTo(15.75588453952843, 9);
  expect(line?.slope).toBeCloseTo(5.732268001793239, 10);
  const errors = line && relativeLineErrors(points, line);
  expect(errors?.intercept).toBeCloseTo(0.8312371771119145, 9);
  expect(errors?.slope).toBeCloseTo(0.24483009994916613, 10);
  const curvature = relativeCurvature(points);
  expect(curvature?.coefficient).toBeCloseTo(-0.027022746433807403, 10);
  expect(curvature?.share).toBeCloseTo(0.010517293423442492, 10);
});

test('shifting x changes only the intercept', () => {
  const far = points.map(([x, y]): Point => [x + 1e8, y]);
  const [near, moved] = [relativeLine(points), relativeLine(far)];
  expect(moved?.slope).toBeCloseTo(near?.slope ?? 0, 5);
  const [own, other] = [
    near && relativeLineErrors(points, near),
    moved && relativeLineErrors(far, moved),
  ];
  expect((other?.slope ?? 0) / (own?.slope ?? 1)).toBeCloseTo(1, 5);
});

test('too few points, or a value of y that is not above 0, give null', () => {
  expect(
    relativeLine([
      [1, 1],
      [1, 2],
    ]),
  ).toBeNull();
  expect(
    relativeLine([
      [1, 1],
      [2, 0],
    ]),
  ).toBeNull();
  expect(relativeCurvature(points.slice(0, 3))).toBeNull();
});
