import { expect, test } from 'vitest';
import { holm } from './holm.ts';

test('agrees with the worked example of the step-down procedure, in the given order', () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  expect(adjusted.map((p) => p?.toFixed(4))).toEqual(['0.0300', '0.0600', '0.0600', '0.0200']);
});

test('a single p-value is unchanged; p-values stay within 1', () => {
  expect(holm([0.03])).toEqual([0.03]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test('an unknown p-value stays unknown and is not counted as a test', () => {
  expect(holm([null, 0.02, null, 0.5])).toEqual([null, 0.04, null, 0.5]);
  expect(holm([Number.NaN, 1.5, 0.02])).toEqual([null, null, 0.02]);
});
