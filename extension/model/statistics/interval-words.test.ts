import { expect, test } from 'vitest';
import { intervalWords } from './interval-words.ts';

test.each([
  [24.12, 23.851, 25.32, '24.1', '23.9 to 25.3'],
  [31.2, 28.3, 38.3, '31.2', '28.3 to 38.3'],
  [1200.4, 900.1, 1500.2, '1,200', '900 to 1,500'],
  [0.0003, 0.0001, 0.0005, '0.00030', '0.00010 to 0.00050'],
  // An end near 0 is never printed as 0; an end at 0 is.
  [12, 0.004, 25, '12.000', '0.004 to 25.000'],
  [12, 0, 25, '12.0', '0.0 to 25.0'],
  [-0.2, -1, 0.6, '-0.2', '-1.0 to 0.6'],
  // Width 0.
  [5, 5, 5, '5', '5 to 5'],
  [0.00002, 0.00002, 0.00002, '0.00002', '0.00002 to 0.00002'],
])('%d in %d to %d', (estimate, low, high, text, interval) => {
  expect(intervalWords(estimate, { low, high })).toEqual({ estimate: text, interval });
});
