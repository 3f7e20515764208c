import { expect, test } from 'vitest';
import { areFinite, median, quantile, sortedFinite } from './quantile.ts';
import { normalish } from '../fixtures/two-groups.ts';

test('quantiles agree with NumPy', () => {
  expect(quantile(normalish, 0.05)).toBeCloseTo(85.04, 10);
  expect(quantile(normalish, 0.25)).toBeCloseTo(92.05, 10);
  expect(quantile(normalish, 0.5)).toBeCloseTo(97.45, 10);
  expect(quantile(normalish, 0.9)).toBeCloseTo(108.61, 10);
  expect([quantile([3, 1, 2], 0), quantile([3, 1, 2], 1)]).toEqual([1, 3]);
});

test('the median of one, two and three values', () => {
  expect([median([7]), median([9, 1]), median([9, 1, 2])]).toEqual([7, 5, 2]);
});

test('values are sorted numerically, in a copy', () => {
  const values = [10, 9, 100];
  expect(sortedFinite(values)).toEqual([9, 10, 100]);
  expect(values).toEqual([10, 9, 100]);
});

test('no values, a value that is not finite, or a share outside 0 to 1 give null', () => {
  for (const values of [[], [1, Number.NaN], [1, Infinity]]) {
    expect([median(values), quantile(values, 0.5), sortedFinite(values)]).toEqual([
      null,
      null,
      null,
    ]);
  }
  expect([quantile([1], -0.1), quantile([1], 1.1), quantile([1], Number.NaN)]).toEqual([
    null,
    null,
    null,
  ]);
  expect([areFinite([]), areFinite([0, -1]), areFinite([0, -Infinity])]).toEqual([
    true,
    true,
    false,
  ]);
});
