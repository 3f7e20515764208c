import { expect, test } from 'vitest';
import { byteSize, count, counted, digits, milliseconds } from './quantity.ts';

test.each([
  [0, '0'],
  [-0.0000001, '0'],
  [10.349, '10.3'],
  [0.05234, '0.052'],
  [131.5, '132'],
  [1216.4, '1,216'],
  [-17.13, '-17.1'],
])('%d reads %s', (value, text) => expect(digits(value)).toBe(text));

test('unknown is a dash, not 0', () => {
  expect(milliseconds(null)).toBe('–');
  expect(byteSize(null)).toBe('–');
  expect(milliseconds(0)).toBe('0 ms');
});

test.each([
  [917, '917 B'],
  [66_096, '64.5 KiB'],
  [1_005_510, '982 KiB'],
  [1_430_000, '1.36 MiB'],
  [8_589_934_592, '8 GiB'],
])('%d bytes read %s', (bytes, text) => expect(byteSize(bytes)).toBe(text));

test('a count has thousands separators, and its unit is singular only for 1', () => {
  expect([0, 1, 2, 10_000].map((value) => counted(value, 'load'))).toEqual([
    '0 loads',
    '1 load',
    '2 loads',
    '10,000 loads',
  ]);
  expect([count(1_005_510), count(0), count(null)]).toEqual(['1,005,510', '0', '–']);
});
