import { expect, test } from 'vitest';
import { madeUpExploreLoad, madeUpUse } from '../fixtures/made-up-explore.ts';
import { withStoredBytes } from './stored.ts';

const url = 'http://127.0.0.1:8080/a.js';
const loads = [1, 20, 40].map((afterS) => madeUpExploreLoad(`${afterS}`, afterS, [madeUpUse(url)]));
const runStart = Date.parse('2026-11-20T23:00:00.000Z');

function storedWhenWritten(afterS: number): (number | null | undefined)[] {
  const files = new Map([[url, { storedBytes: 917, writtenAt: runStart + afterS * 1000 }]]);
  return withStoredBytes(loads, files).map(({ resources }) => resources[0]?.storedBytes);
}

test('an entry that was written once existed at every later load', () => {
  expect(storedWhenWritten(2)).toEqual([917, 917, 917]);
});

test('the stored size of an earlier load is unknown when the entry was written again', () => {
  expect(storedWhenWritten(21)).toEqual([null, 917, 917]);
  expect(storedWhenWritten(41)).toEqual([null, null, 917]);
});

test('the time of the next use decides, in any order of the loads', () => {
  const files = new Map([[url, { storedBytes: 917, writtenAt: runStart + 21_000 }]]);
  const stored = withStoredBytes(loads.toReversed(), files).map(
    ({ resources }) => resources[0]?.storedBytes,
  );
  expect(stored).toEqual([917, 917, null]);
});

test('without an entry the size stays unknown, not 0', () => {
  const stored = withStoredBytes(loads, new Map()).map(
    ({ resources }) => resources[0]?.storedBytes,
  );
  expect(stored).toEqual([null, null, null]);
});

test('after a redirect, the entry of the last URL counts, not that of the redirect', () => {
  const redirected = { ...madeUpUse('http://127.0.0.1:8080/old.js'), finalUrl: url };
  const files = new Map([
    [url, { storedBytes: 917, writtenAt: runStart + 2000 }],
    [redirected.url, { storedBytes: 30, writtenAt: runStart + 2000 }],
  ]);
  const [load] = withStoredBytes([madeUpExploreLoad('1', 1, [redirected])], files);
  expect(load?.resources[0]?.storedBytes).toBe(917);
});
