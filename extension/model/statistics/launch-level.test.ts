import { expect, test } from 'vitest';
import { levelOf } from './launch-level.ts';

test('a level is the geometric mean of the launches’ medians; for one launch it is the median', () => {
  expect(levelOf([[1, 2, 9], [8], [4]])).toBeCloseTo(4, 12);
  expect(levelOf([[61, 60, 62.5]])).toBe(61);
});

test('each launch has the same weight, with any number of readings', () => {
  expect(levelOf([[1, 1, 1, 1, 1, 1], [4]])).toBeCloseTo(2, 12);
});

test('with a median of 0 it is the arithmetic mean; without readings it is null', () => {
  expect(levelOf([[0], [3]])).toBe(1.5);
  expect([levelOf([]), levelOf([[1], []]), levelOf([[Number.NaN]])]).toEqual([null, null, null]);
});
