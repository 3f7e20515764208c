import { expect, test } from 'vitest';
import { usableUntil } from './freshness.ts';
import { fieldValue, listMembers } from './header-fields.ts';

const date = 'Fri, 20 Nov 2026 23:00:00 GMT';
const at = (time: string): string => `Fri, 20 Nov 2026 ${time} GMT`;

/** Seconds that a response received 10 s after its Date may be served without asking. */
function seconds(fields: Record<string, string>): number {
  const received = Date.parse(date) + 10_000;
  const headers = Object.entries({ Date: date, ...fields });
  return (usableUntil(headers, received) - received) / 1000;
}

test.each([
  ['max-age counts from Date', { 'cache-control': 'public, max-age=60' }, 50],
  ['max-age before Expires', { 'cache-control': 'max-age=60', expires: at('23:59:00') }, 50],
  ['the first of two counts', { 'cache-control': 'max-age=60, max-age=900' }, 50],
  ['a quoted number', { 'cache-control': 'max-age="60"' }, 50],
  ['s-maxage is for shared caches', { 'cache-control': 's-maxage=900, max-age=60' }, 50],
  ['Age above the time since Date', { 'cache-control': 'max-age=60', age: '30' }, 30],
  ['stale-while-revalidate', { 'cache-control': 'max-age=60, stale-while-revalidate=30' }, 80],
  ['Expires', { expires: at('23:01:00') }, 50],
  ['an Expires that is no date', { expires: '0' }, -10],
  ['a tenth of the time since Last-Modified', { 'last-modified': at('22:00:00') }, 350],
  [
    'no guess with must-revalidate',
    { 'last-modified': at('22:00:00'), 'cache-control': 'must-revalidate' },
    -10,
  ],
  ['no-cache', { 'cache-control': 'max-age=60, no-cache' }, 0],
  ['no-store', { 'cache-control': 'no-store' }, 0],
  ['nothing', {}, -10],
  ['a max-age that is no number', { 'cache-control': 'max-age=-60' }, -10],
])('%s', (_, fields: Record<string, string>, expected) => {
  expect(seconds(fields)).toBe(expected);
});

test('a response without Date is as old as its Age', () => {
  const headers = [['cache-control', 'max-age=60'] as const, ['age', '20'] as const];
  expect(usableUntil(headers, 1000)).toBe(1000 + 40_000);
});

test('fields of one name are one list; names are without case', () => {
  const fields = [
    ['Vary', 'a'],
    ['x', '1'],
    ['vary', 'b'],
  ] as const;
  expect(fieldValue(fields, 'vary')).toBe('a, b');
  expect(fieldValue(fields, 'etag')).toBeNull();
});

test('members of Accept-Encoding that are refused are left out', () => {
  expect(listMembers('gzip, BR;q=0.5, dcb;q=0, dcz ; q=0.000, zstd;q=0.001,')).toEqual([
    'gzip',
    'br',
    'zstd',
  ]);
  expect(listMembers(null)).toEqual([]);
});
