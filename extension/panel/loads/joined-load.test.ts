import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { expect, test } from 'vitest';
import { inOwnLoad, joinLoads } from './joined-load.ts';

test('a preserved log has the times of no single load', () => {
  const first = { ...madeUpLoad({ count: 2 }), id: 'first', loadMs: 80, domContentLoadedMs: 50 };
  const startedAt = new Date(Date.parse(first.startedAt) + 1000).toISOString();
  const second = { ...first, id: 'second', url: 'http://127.0.0.1/second', startedAt };
  const joined = joinLoads([first, second]);
  expect(joined).toMatchObject({ url: second.url, loadMs: null, domContentLoadedMs: null });
  const starts = first.resources.map(({ startMs }) => startMs);
  expect(joined?.resources.map(({ startMs }) => startMs)).toEqual([
    ...starts,
    ...starts.map((startMs) => startMs + 1000),
  ]);
  expect(joinLoads([first])).toBe(first);
});

test('a resource of a preserved log has its own load, with the page and the times of that load', () => {
  const first = { ...madeUpLoad({ count: 2 }), id: 'first' };
  const second = { ...first, id: 'second', url: 'https://b.example/' };
  const joined = joinLoads([first, second])?.resources ?? [];
  expect(joined.map(({ sequence }) => inOwnLoad([first, second], sequence))).toEqual(
    [first, second].flatMap((load) => load.resources.map((resource) => ({ load, resource }))),
  );
  expect(inOwnLoad([first, second], joined.length)).toBeNull();
});
