import { expect, test } from 'vitest';
import { axisEnd, axisTicks, roundDown, roundUp } from './axis-rounding.ts';

test('axes begin and end at 1, 2 or 5 times a power of ten', () => {
  const values = [0.07, 1, 1.01, 4.9, 5, 5.1, 37, 99];
  expect(values.map(roundUp)).toEqual([0.1, 1, 2, 5, 5, 10, 50, 100]);
  expect(values.map(roundDown)).toEqual([0.05, 1, 1, 2, 5, 5, 20, 50]);
});

test('ticks are at multiples of a round step, none at the very end', () => {
  expect(axisTicks(150)).toEqual([0, 20, 40, 60, 80, 100, 120, 140]);
  expect(axisTicks(1)).toHaveLength(10);
  expect(Math.max(...axisTicks(14.6))).toBe(14);
});

test('an axis ends at a multiple of its step, not below the value', () => {
  expect([122, 162, 980, 1, 7.3].map(axisEnd)).toEqual([140, 180, 1000, 1, 8]);
});
