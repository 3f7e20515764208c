import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';
import { cacheDirectives, initialAgeMs, lifetimeMs, mayStore } from './cache-directives.ts';

const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
const later = 'Fri, 20 Nov 2026 12:01:00 GMT';

test('Cache-Control is read as RFC 9111 section 5.2 has it: any case, quotes, the first of two', () => {
  const field = 'Public , MAX-AGE=60,private="a, b", max-age=5,, s-maxage = 7';
  expect([...cacheDirectives(field)]).toEqual([
    ['public', ''],
    ['max-age', '60'],
    ['private', 'a, b'],
    ['s-maxage', '7'],
  ]);
  expect(cacheDirectives(undefined).size).toBe(0);
});

test.each([
  [{ 'cache-control': 'max-age=60' }, 60_000],
  [{ 'cache-control': 'max-age=60, s-maxage=5' }, 5000],
  [{ 'cache-control': 'max-age=60, no-cache' }, 0],
  [{ 'cache-control': 'max-age=1.5' }, 0],
  [{ 'cache-control': 'max-age=60', expires: '0', date }, 60_000],
  [{ expires: later, date }, 60_000],
  [{ expires: '0', date }, 0],
  [{ expires: date, date: later }, 0],
  // No guess from Last-Modified.
  [{ 'last-modified': 'Fri, 20 Nov 2020 12:00:00 GMT', date }, 0],
] as const)('%j is fresh for %d ms', (headers, ms) => {
  expect(lifetimeMs(headers)).toBe(ms);
});

test.each([
  [200, { 'cache-control': 'max-age=60' }, true],
  [200, { 'cache-control': 'no-cache', etag: '"1"' }, true],
  [200, { 'cache-control': 'no-cache' }, false],
  [200, { 'cache-control': 'no-store, max-age=60' }, false],
  [200, { 'cache-control': 'private="x", max-age=60' }, false],
  [200, { 'cache-control': 'max-age=60', vary: 'accept, *' }, false],
  [206, { 'cache-control': 'max-age=60' }, false],
  [404, { 'cache-control': 'max-age=60' }, true],
  [500, { 'cache-control': 'max-age=60' }, false],
] as const)('%d with %j: may be kept: %s', (status, headers, may) => {
  expect(mayStore(status, headers)).toBe(may);
});

test('age is the greater of what the response tells and what its date shows', () => {
  const cameAt = Date.parse(later);
  expect(initialAgeMs({ date }, cameAt - 100, cameAt)).toBe(60_000);
  expect(initialAgeMs({ date: later, age: '5' }, cameAt - 100, cameAt)).toBe(5100);
});

test.each([
  ['bytes=0-0', { from: 0, to: 1 }],
  ['bytes=5-', { from: 5, to: 10 }],
  ['bytes=5-99', { from: 5, to: 10 }],
  ['Bytes=-3', { from: 7, to: 10 }],
  ['bytes=-99', { from: 0, to: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['lines=0-1', null],
  [undefined, null],
] as const)('%s of ten bytes is %j (RFC 9110 section 14.1.2)', (field, range) => {
  expect(byteRange(field, 10)).toEqual(range);
});
