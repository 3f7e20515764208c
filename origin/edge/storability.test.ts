import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';
import { mayStore } from './storability.ts';

test.each([
  [200, { 'cache-control': 'max-age=60' }, true],
  [200, { 'cache-control': 'no-cache', etag: '"1"' }, true],
  [200, { 'cache-control': 'no-cache' }, false],
  [200, { 'cache-control': 'no-store, max-age=60' }, false],
  [200, { 'cache-control': 'private="x", max-age=60' }, false],
  [200, { 'cache-control': 'max-age=60', vary: 'accept, *' }, false],
  [206, { 'cache-control': 'max-age=60' }, false],
  [404, { 'cache-control': 'max-age=60' }, true],
  [404, { etag: '"1"' }, false],
  [304, { 'cache-control': 'max-age=60' }, false],
  [503, { 'cache-control': 'max-age=60' }, true],
  [599, { 'cache-control': 'max-age=60' }, true],
  [600, { 'cache-control': 'max-age=60' }, false],
  [200, { 'cache-control': 'max-age=60', connection: 'close, x-a, content-length' }, true],
  [200, { 'cache-control': 'max-age=60', connection: 'Cache-Control' }, false],
  [599, { 'cache-control': 'max-age=60, must-understand' }, false],
  [200, { 'cache-control': 'max-age=60, must-understand, no-store' }, true],
  [200, { 'cache-control': 'max-age=60', 'set-cookie': 'a=b' }, false],
  [200, { 'cache-control': 'max-age=60', 'cdn-cache-control': 'private' }, false],
  [200, { 'cache-control': 'max-age=60', 'cdn-cache-control': 'no-store' }, false],
  [200, { 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=60' }, true],
  [200, { 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=60, &' }, false],
] as const)('%d with %j may be stored: %s', (status, headers, may) => {
  const response = { status, headers: Object.entries(headers), receivedAt: Date.now() };
  expect(mayStore(response)).toBe(may);
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
