import { expect, test } from 'vitest';
import { responsesIn } from './browser.ts';
import { replayedKeys, replayReadings } from './replay.ts';

const cell = { body: 'text', bytes: 1024, coding: 'dcb' } as const;
/** Three hits, and one request in the coding of the cell. */
const count = {
  codings: [[], ['dcb'], [], []],
  countedHits: 3,
  differentKeys: 9,
  held: 5,
} as const;

function read(changes: Partial<Parameters<typeof replayReadings>[2]>) {
  return replayReadings({ variant: 'stock' }, cell, { ...count, ...changes }).map(
    ({ measure, values, flags }) => ({ measure, values, flags }),
  );
}

test('a request that the origin did not see is a hit', () => {
  expect(read({})).toEqual([
    { measure: 'hit-rate', values: [0.75], flags: [] },
    { measure: 'replay-entries', values: [5], flags: [] },
  ]);
});

test('a cache that cannot be read is unknown, not empty', () => {
  expect(responsesIn(new Map())).toBeNull();
  expect(read({ held: null }).at(1)).toEqual({
    measure: 'replay-entries',
    values: [],
    flags: ['unknown'],
  });
});

test('witnesses that disagree, other codings and a cache that is not full are flagged', () => {
  const flagsOf = (changes: Parameters<typeof read>[0]) => read(changes).map(({ flags }) => flags);
  const each = (flag: string) => [[flag], [flag]];
  expect(flagsOf({ countedHits: 4 })).toEqual(each('histograms'));
  expect(flagsOf({ codings: [[], ['br'], [], []] })).toEqual(each('origin-unasked'));
  expect(flagsOf({ codings: [[], ['dcb', 'dcb'], [], []] })).toEqual(each('origin-unasked'));
  expect(flagsOf({ held: 9 })).toEqual(each('not-full'));
});

test('equal seeds draw equal requests', () => {
  const replay = { requests: 500, rateHz: 30, skew: 0.8, keys: 1200, limitBytes: 1 };
  const keys = replayedKeys(replay, 1);
  expect(replayedKeys(replay, 1)).toEqual(keys);
  expect(replayedKeys(replay, 2)).not.toEqual(keys);
  expect(keys).toHaveLength(500);
  expect(Math.min(...keys)).toBe(1);
  expect(Math.max(...keys)).toBeLessThanOrEqual(1200);
});
