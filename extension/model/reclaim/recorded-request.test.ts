import { expect, test } from 'vitest';
import { oneSizeEach } from './recorded-request.ts';

const request = (url: string, bytes: number | null) => ({ atMs: 0, url, bytes });

test('a URL has one size, its largest; without any recorded size it is left out and counted', () => {
  const recorded = [request('/a', null), request('/a', 200), request('/b', null), request('/a', 5)];
  const { requests, unusable, firstUnusable } = oneSizeEach(recorded, 1000);
  expect(requests.map(({ url, bytes }) => [url, bytes])).toEqual([
    ['/a', 200],
    ['/a', 200],
    ['/a', 200],
  ]);
  expect([unusable, firstUnusable]).toEqual([
    1,
    '"/b" has no size in any line; it must be a whole number up to 1000',
  ]);
});

test('impossible sizes are excluded and counted, and are never the largest', () => {
  const recorded = [request('/a', 1001), request('/a', 1000), request('/b', 12.5)];
  expect(oneSizeEach(recorded, 1000)).toEqual({
    requests: [request('/a', 1000)],
    unusable: 2,
    firstUnusable: '"/a" has 1001 bytes; it must be a whole number up to 1000',
  });
  expect(oneSizeEach([request('/a', Infinity)], 1000).unusable).toBe(1);
});
