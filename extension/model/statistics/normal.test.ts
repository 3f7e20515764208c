import { expect, test } from 'vitest';
import { normalCdf, normalQuantile } from './normal.ts';

test('probabilities agree with SciPy 1.17', () => {
  expect(normalCdf(-3)).toBeCloseTo(0.0013498980316300933, 15);
  expect(normalCdf(-0.5)).toBeCloseTo(0.3085375387259869, 14);
  expect(normalCdf(1.2)).toBeCloseTo(0.8849303297782918, 14);
  expect(normalCdf(4)).toBeCloseTo(0.9999683287581669, 14);
  expect(normalCdf(-8) / 6.22096057427174e-16).toBeCloseTo(1, 6);
  expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
});

test('quantiles agree with SciPy 1.17, and are infinite at 0 and 1', () => {
  expect(normalQuantile(0.001)).toBeCloseTo(-3.090232306167813, 12);
  expect(normalQuantile(0.2)).toBeCloseTo(-0.8416212335729142, 12);
  expect(normalQuantile(0.6)).toBeCloseTo(0.2533471031357997, 12);
  expect(normalQuantile(0.999999)).toBeCloseTo(4.753424308817087, 9);
  expect(normalQuantile(0.5)).toBeCloseTo(0, 14);
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  expect([normalQuantile(-0.1), normalQuantile(Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
});
