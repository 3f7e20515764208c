import { expect, test } from 'vitest';
import type { MedianEstimate } from './median-interval.ts';
import { isPrecise, moreForPrecision } from './precision.ts';

const estimate: MedianEstimate = {
  median: 100,
  interval: { low: 98, high: 101 },
  method: 'order statistics',
  noInterval: null,
  readings: 50,
  launches: 50,
};

test('the wider side of the interval counts', () => {
  expect([isPrecise(estimate, 0.02), isPrecise(estimate, 0.019)]).toEqual([true, false]);
});

test('half the width needs four times the readings', () => {
  expect(moreForPrecision(estimate, 0.01)).toEqual({
    readings: 150,
    launches: null,
    atLeast: false,
  });
  expect(moreForPrecision(estimate, 0.02)).toBeNull();
});

test('without an interval nothing is precise, and the number of further readings is unknown', () => {
  const none = {
    ...estimate,
    interval: null,
    method: null,
    noInterval: 'too few launches',
  } as const;
  expect([isPrecise(none, 1), moreForPrecision(none, 1)]).toEqual([false, null]);
  const zero = { ...estimate, median: 0, interval: { low: 0, high: 0 } };
  expect(isPrecise(zero, 0.01)).toBe(true);
});
