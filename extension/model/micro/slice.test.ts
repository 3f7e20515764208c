import { expect, test } from 'vitest';
import { madeUpSlice } from '../fixtures/micro.ts';
import { type MicroCell, microFlagsOf } from './slice.ts';

function flags(
  cell: Partial<MicroCell>,
  witnessed: { requests?: number; distinct?: number; found?: number; reads?: number },
) {
  const device =
    witnessed.reads === undefined
      ? null
      : { reads: witnessed.reads, readBytes: 0, writes: 0, writtenBytes: 0 };
  const { requests = 0, found = 100, distinct } = witnessed;
  return microFlagsOf(madeUpSlice(cell).cell, { runs: 100, requests, found, device, distinct });
}

test('a hit never reaches the origin', () => {
  expect(flags({ row: 'hit' }, {})).toEqual([]);
  expect(flags({ row: 'hit' }, { requests: 1 })).toEqual(['origin-touched']);
});

test.each(['miss-cleared', 'miss-uncacheable', 'miss-query'] as const)(
  '%s reaches it exactly once per run',
  (row) => {
    expect(flags({ row }, { requests: 100 })).toEqual([]);
    for (const requests of [0, 99, 101])
      expect(flags({ row }, { requests })).toEqual(['requests-unequal']);
  },
);

test('with new keys, each key is requested once; no key twice and another never', () => {
  const row = 'miss-query';
  expect(flags({ row }, { requests: 100, distinct: 100 })).toEqual([]);
  expect(flags({ row }, { requests: 100, distinct: 99 })).toEqual(['requests-unequal']);
  expect(flags({ row: 'miss-uncacheable' }, { requests: 100, distinct: 1 })).toEqual([]);
});

test('call overhead and clearing read nothing', () => {
  for (const row of ['overhead', 'clear'] as const) {
    expect(flags({ row }, {})).toEqual([]);
    expect(flags({ row }, { requests: 3 })).toEqual(['origin-touched']);
  }
});

test('a search stays in the cache, and finds exactly the keys that are in it', () => {
  const search = { part: 'search', entries: 1000 } as const;
  expect(flags({ ...search, row: 'present' }, { found: 100 })).toEqual([]);
  expect(flags({ ...search, row: 'present' }, { found: 99 })).toEqual(['found-unequal']);
  expect(flags({ ...search, row: 'absent' }, { found: 0 })).toEqual([]);
  expect(flags({ ...search, row: 'absent' }, { found: 1 })).toEqual(['found-unequal']);
  expect(flags({ ...search, row: 'absent' }, { found: 0, requests: 1 })).toEqual([
    'origin-touched',
  ]);
});

test('a script that is in no cache comes from the origin', () => {
  const both = { part: 'search', cache: 'blink', row: 'absent', entries: 1000 } as const;
  expect(flags(both, { found: 100, requests: 100 })).toEqual([]);
  expect(flags(both, { found: 100, requests: 0 })).toEqual(['requests-unequal']);
});

test('a cold read of a slow disk is visible at its device', () => {
  const cold = { state: 'dropped', storage: 'nbd-delay', delayMs: 5 } as const;
  expect(flags(cold, { reads: 300 })).toEqual([]);
  expect(flags(cold, { reads: 0 })).toEqual(['device-silent']);
  // A memory cache reads nothing from the device, and unknown counters prove nothing.
  expect(flags({ ...cold, cache: 'memory' }, { reads: 0 })).toEqual([]);
  expect(flags(cold, {})).toEqual([]);
});
