import { expect, test } from 'vitest';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import { type AttributedResource, attributeLoad } from '../attribution/attributed-resource.ts';
import { compareLoads, countMoves } from './comparison.ts';
import type { Resource } from './load.ts';

const [template] = madeUpLoad({ count: 1 }).resources;
if (!template) throw new Error('no resource was made up');

function row(url: string, source: string, change: Partial<Resource> = {}): AttributedResource {
  return {
    resource: { ...template, url, durationMs: 50, ...change } as Resource,
    attribution: { source, confidence: 'certain', reasons: [] },
  };
}

const changesOf = (before: AttributedResource[], after: AttributedResource[]) =>
  compareLoads(before, after).map(({ url, changes }) => [url, changes]);

test('a load compared with itself has no changes', () => {
  const rows = attributeLoad(madeUpLoad({ count: 200 }));
  const pairs = compareLoads(rows, rows);
  expect(pairs).toHaveLength(200);
  expect(pairs.every(({ changes }) => changes.length === 0)).toBe(true);
});

test('moved, added, vanished and changed resources are distinguished', () => {
  const before = [row('a', 'network'), row('b', 'network'), row('gone', 'network')];
  const after = [
    row('new', 'network'),
    row('a', 'disk'),
    row('b', 'network', { durationMs: 80, decodedBytes: 7 }),
  ];
  expect(changesOf(before, after)).toEqual([
    ['new', ['appeared']],
    ['a', ['source']],
    ['b', ['time', 'size']],
    ['gone', ['vanished']],
  ]);
  expect(countMoves(compareLoads(before, after))).toEqual([
    { from: 'network', to: 'disk', count: 1 },
  ]);
});

test('a resource whose method one witness did not report is the same resource', () => {
  const post = row('api', 'network', { method: 'POST' });
  const unknown = row('api', 'network', { method: null });
  const get = row('api', 'network', { method: 'GET' });
  expect(changesOf([unknown], [post])).toEqual([['api', []]]);
  expect(changesOf([post], [unknown])).toEqual([['api', []]]);
  expect(changesOf([unknown, get], [get, post])).toEqual([
    ['api', []],
    ['api', []],
  ]);
  expect(changesOf([get], [post])).toEqual([
    ['api', ['appeared']],
    ['api', ['vanished']],
  ]);
});

test('a move between details of one source names both details', () => {
  const of = (detail: string): AttributedResource => {
    const { resource, attribution } = row('a', 'service-worker');
    return { resource, attribution: { ...attribution, detail } };
  };
  expect(countMoves(compareLoads([of('network')], [of('cache-storage')]))).toEqual([
    { from: 'service-worker/network', to: 'service-worker/cache-storage', count: 1 },
  ]);
});

test('the first use of a URL is compared with the first, the second with the second', () => {
  const before = [row('a', 'network'), row('a', 'memory')];
  const after = [row('a', 'disk'), row('a', 'memory'), row('a', 'memory')];
  expect(changesOf(before, after)).toEqual([
    ['a', ['source']],
    ['a', []],
    ['a', ['appeared']],
  ]);
});

test('a different method is a different resource', () => {
  const [pair] = compareLoads([row('a', 'network', { method: 'POST' })], [row('a', 'network')]);
  expect(pair?.changes).toEqual(['appeared']);
});

test.each([
  [50, 54, []],
  [50, 56, []],
  [50, 70, ['time']],
  [2, 5, []],
  [10, 1, ['time']],
  [null, 70, []],
])('from %s to %s ms', (one, other, changes) => {
  const pairs = compareLoads(
    [row('a', 'disk', { durationMs: one })],
    [row('a', 'disk', { durationMs: other })],
  );
  expect(pairs[0]?.changes).toEqual(changes);
});

test('an unknown value in one load gives no change and no difference', () => {
  const [pair] = compareLoads(
    [row('a', 'disk', { transferredBytes: null, decodedBytes: null })],
    [row('a', 'disk', { transferredBytes: 0, decodedBytes: 10 })],
  );
  expect(pair).toMatchObject({ changes: [], transferredBytes: null, durationMs: 0 });
});
