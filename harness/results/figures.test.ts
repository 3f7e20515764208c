import { expect, test } from 'vitest';
import { figureText, intervalText, throughputText } from './figures.ts';

test.each([
  [668_000_000, '668 MB/s'],
  [81_600_000, '81.6 MB/s'],
  [1_000_000_000, '1 GB/s'],
  [999_600_000, '1 GB/s'],
  [1_234_000_000, '1.23 GB/s'],
  [512, '512 B/s'],
])('%d bytes per second are formatted as dd prints them: %s', (rate, text) => {
  expect(throughputText(rate)).toBe(text);
});

test('an unknown value is never shown as a number', () => {
  expect(throughputText(null)).toBe('unknown');
  expect(figureText(null)).toBe('unknown');
  expect(intervalText(null, 1, 2)).toBe('unknown');
});

test('zero is a number', () => {
  expect(figureText(0)).toBe('0.00');
  expect(intervalText(0, -1, 1)).toBe('0.0 [-1.0, 1.0]');
});

test('a median without an interval is shown without one', () => {
  expect(intervalText(13.1, null, null)).toBe('13.1');
});
