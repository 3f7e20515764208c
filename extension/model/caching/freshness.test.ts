import { expect, test } from 'vitest';
import { initialAgeMs, lifetimeMs, sharedCache, usableUntil } from './freshness.ts';
import { fieldValue, listMembers } from '../load/header-fields.ts';

const date = 'Fri, 20 Nov 2026 23:00:00 GMT';
const at = (time: string): string => `Fri, 20 Nov 2026 ${time} GMT`;
const receivedAt = Date.parse(date) + 10_000;

/** Seconds for which Chromium may serve, without a request, a response that it received 10 s after its Date. */
function seconds(fields: Record<string, string>): number {
  const headers = Object.entries({ Date: date, ...fields });
  return (usableUntil({ status: 200, headers, receivedAt }) - receivedAt) / 1000;
}

// How Chromium treats each field by itself: test/flow/freshness.e2e.test.ts checks this in the browser.
test.each([
  ['max-age counts from Date', { 'cache-control': 'public, max-age=60' }, 50],
  ['max-age before Expires', { 'cache-control': 'max-age=60', expires: at('23:59:00') }, 50],
  ['s-maxage is for shared caches', { 'cache-control': 's-maxage=900, max-age=60' }, 50],
  ['Age above the time since Date', { 'cache-control': 'max-age=60', age: '30' }, 30],
  ['stale-while-revalidate', { 'cache-control': 'max-age=60, stale-while-revalidate=30' }, 80],
  ['Expires', { expires: at('23:01:00') }, 50],
  ['Expires: 0', { expires: '0', 'last-modified': at('22:00:00') }, -10],
  ['another invalid Expires is ignored', { expires: '-1', 'last-modified': at('22:00:00') }, 350],
  ['an invalid Expires without Last-Modified', { expires: '-1' }, -10],
  ['a tenth of the time since Last-Modified', { 'last-modified': at('22:00:00') }, 350],
  ['no-cache', { 'cache-control': 'max-age=60, no-cache' }, -10],
  ['nothing', {}, -10],
])('Chromium: %s', (_, fields: Record<string, string>, expected) => {
  expect(seconds(fields)).toBe(expected);
});

test('Chromium: an invalid Expires does not shorten the unlimited lifetime of a redirect', () => {
  const redirect = (expires: string) => ({
    status: 301,
    headers: [['Expires', expires] as const],
    receivedAt,
  });
  expect(usableUntil(redirect('x'))).toBe(Infinity);
  expect(usableUntil(redirect('0'))).toBe(receivedAt);
});

test('a response without Date is as old as its Age', () => {
  const headers = [['cache-control', 'max-age=60'] as const, ['age', '20'] as const];
  expect(usableUntil({ status: null, headers, receivedAt: 1000 })).toBe(1000 + 40_000);
});

const shared = (fields: Record<string, string>) => ({
  status: 200,
  headers: Object.entries(fields),
  receivedAt,
});

test.each([
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'MAX-AGE = "60"' }, 60],
  [{ 'cache-control': 'max-age=60, max-age=5' }, 60],
  [{ 'cache-control': 'max-age=60, s-maxage=5' }, 5],
  [{ 'cache-control': 'max-age=60, no-cache' }, 0],
  [{ 'cache-control': 'max-age=60, no-cache="x"' }, 0],
  [{ 'cache-control': 'max-age=1.5' }, 0],
  [{ 'cache-control': 'max-age=60', expires: '0', date }, 60],
  [{ expires: at('23:01:00'), date }, 60],
  [{ expires: at('23:01:10'), date: 'x' }, 60],
  [{ expires: '0', date }, 0],
  [{ expires: '3600', date }, 0],
  [{ expires: date, date: at('23:01:00') }, 0],
  [{ expires: 'Friday, 20-Nov-26 23:01:00 GMT', date }, 60],
  [{ expires: 'Friday, 20-Nov-77 23:01:00 GMT', date }, 0],
  [{ expires: 'Fri Nov 20 23:01:00 2026', date }, 60],
  [{ expires: 'fri, 20 NOV 2026 23:01:00 gmt', date }, 60],
  // Not an HTTP-date (RFC 9110 section 5.6.7).
  [{ expires: 'Fri, 20 Nov 2026 23:01:00 UTC', date }, 0],
  [{ expires: 'Fri 20 Nov 2026 23:01:00 GMT', date }, 0],
  [{ expires: 'Fri, 20  Nov  2026 23:01:00 GMT', date }, 0],
  [{ expires: 'Fri, 20-Nov-2026 23:01:00 GMT', date }, 0],
  [{ expires: 'Fri, 20 Nov 2026 9:01:00 GMT', date }, 0],
  [{ expires: 'Fri, 20 Nov 2026 25:01:00 GMT', date }, 0],
  // No heuristic from Last-Modified.
  [{ 'last-modified': 'Fri, 20 Nov 2020 12:00:00 GMT', date }, 0],
  // RFC 9213
  [{ 'cache-control': 'max-age=60', 'cdn-cache-control': 'max-age=5' }, 5],
  [{ 'cache-control': 'max-age=60', 'cdn-cache-control': 'no-cache' }, 0],
  [{ 'cache-control': 'no-store', 'cdn-cache-control': 'foo, max-age=60' }, 60],
  [{ expires: at('23:01:00'), date, 'cdn-cache-control': 'public' }, 0],
  [{ 'cache-control': 'max-age=60', 'cdn-cache-control': 'max-age=5, &' }, 60],
  [{ 'cache-control': 'max-age=60', 'cdn-cache-control': 'max-age="5"' }, 0],
  [{ 'cache-control': 'max-age=60', 'cdn-cache-control': '' }, 60],
] as const)('a shared cache: %j is fresh for %d s', (fields, expected) => {
  expect(lifetimeMs(shared(fields), sharedCache) / 1000).toBe(expected);
});

test.each([
  [{ date }, 10],
  [{ date: at('23:00:10'), age: '5' }, 5.1],
  [{ date: at('23:00:10'), age: '7200, 0' }, 7200.1],
  [{ date: at('23:00:10'), age: '-7200' }, 0.1],
  [{ date: at('23:00:10'), age: '7200.0' }, 0.1],
] as const)('a shared cache: %j requested 100 ms earlier is %d s old', (fields, expected) => {
  const response = { ...shared(fields), askedAt: receivedAt - 100 };
  expect(initialAgeMs(response, sharedCache) / 1000).toBe(expected);
});

test('fields with the same name form one list; names are case-insensitive', () => {
  const fields = [
    ['Vary', 'a'],
    ['x', '1'],
    ['vary', 'b'],
  ] as const;
  expect(fieldValue(fields, 'vary')).toBe('a, b');
  expect(fieldValue(fields, 'etag')).toBeNull();
});

test('members of Accept-Encoding with weight 0 are left out', () => {
  expect(listMembers('gzip, BR;q=0.5, dcb;q=0, dcz ; q=0.000, zstd;q=0.001,')).toEqual([
    'gzip',
    'br',
    'zstd',
  ]);
  expect(listMembers(null)).toEqual([]);
});
