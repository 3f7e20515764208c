import { expect, test } from 'vitest';
import type { MedianEstimate } from './median-interval.ts';
import { isPrecise } from './precision.ts';

const estimate: MedianEstimate = {
  median: 100,
  interval: { low: 98, high: 101 },
  noInterval: null,
  readings: 50,
  launches: 50,
};

test('the wider side of the interval counts', () => {
  expect([isPrecise(estimate, 0.02), isPrecise(estimate, 0.019)]).toEqual([true, false]);
});

test('without an interval nothing is precise', () => {
  const none = {
    ...estimate,
    interval: null,
    noInterval: 'too few launches',
  } as const;
  expect(isPrecise(none, 1)).toBe(false);
  const zero = { ...estimate, median: 0, interval: { low: 0, high: 0 } };
  expect(isPrecise(zero, 0.01)).toBe(true);
});
