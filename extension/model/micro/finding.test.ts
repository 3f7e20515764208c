import { expect, test } from 'vitest';
import { microStatistics } from './statistics.ts';
import { crossoverSentence, microFinding } from './finding.ts';
import { madeUpSlice } from '../fixtures/micro.ts';
import { microPivot } from './pivot.ts';
import type { MicroCell } from './slice.ts';

/** Statistics of cells in which every run takes `ms`. */
function figures(...cells: [cell: Partial<MicroCell>, ms: number][]) {
  return cells.flatMap(
    ([cell, ms]) => microStatistics([madeUpSlice(cell, { batchUs: [1000 * ms] })]) ?? [],
  );
}

const nothing = { figures: [], crossovers: [], margin: 0.1 };

test('hits are reported at the smallest and the largest size, beside a load without a cache', () => {
  const own = figures(
    [{ cache: 'memory' }, 2],
    [{ cache: 'disk' }, 2.5],
    [{ cache: 'none', row: 'miss-uncacheable' }, 3],
    [{ cache: 'disk', bytes: 1024 }, 4],
    [{ cache: 'disk', bytes: 2048 }, 5],
  );
  expect(microFinding({ ...nothing, figures: own })).toEqual([
    'A hit of 50 B takes 2 ms (Memory cache) and 2.5 ms (Disk cache); from the server, without a cache, 3 ms.',
    'A hit of 2 KiB takes 5 ms (Disk cache).',
  ]);
});

test('a time below the resolution of the clock is an upper bound', () => {
  const absent = { part: 'search', row: 'absent', backEnd: 'sql', state: 'relaunched' } as const;
  const list = { part: 'list', bytes: 51200 } as const;
  const own = figures(
    [{ cache: 'blink' }, 0],
    [{ cache: 'memory' }, 0.005],
    [{ cache: 'disk' }, 0.5],
    [{ ...list, row: 'miss-query' }, 6],
    [{ ...list }, 0],
    [{ ...absent, entries: 0 }, 0],
    [{ ...absent, entries: 50_000 }, 3],
  );
  expect(microFinding({ ...nothing, figures: own })).toEqual([
    'A hit of 50 B takes less than 0.01 ms (Blink memory), less than 0.01 ms (Memory cache), and 0.5 ms (Disk cache).',
    'One of a list of resources of 50 KiB takes 6 ms from the server, and from the disk cache less than 0.01 ms (again).',
    'Disk, sql: searching for an absent key takes less than 0.01 ms among 0 entries and 3 ms among 50,000.',
  ]);
});

test('a list is reported by the state before its loads', () => {
  const list = { part: 'list', bytes: 51200 } as const;
  const own = figures(
    [{ ...list, row: 'miss-query' }, 6],
    [{ ...list }, 1],
    [{ ...list, state: 'relaunched' }, 2],
    [{ ...list, state: 'dropped', storage: 'nbd-delay', delayMs: 5 }, 30],
  );
  expect(microFinding({ ...nothing, figures: own })).toEqual([
    'One of a list of resources of 50 KiB takes 6 ms from the server, and from the disk cache 1 ms (again), 2 ms (relaunched), and 30 ms (cold, 5 ms).',
  ]);
});

test('a search is reported from the emptiest to the fullest cache, without first searches', () => {
  const absent = { part: 'search', row: 'absent', backEnd: 'sql' } as const;
  const own = figures(
    [{ ...absent, entries: 50_000, state: 'relaunched' }, 3],
    [{ ...absent, entries: 0, state: 'relaunched' }, 1],
    [{ ...absent, entries: 0, state: 'first' }, 90],
    // Not only a search: the server answers.
    [{ ...absent, cache: 'blink', entries: 0, state: 'relaunched' }, 7],
    [{ ...absent, cache: 'blink', entries: 50_000, state: 'relaunched' }, 8],
  );
  expect(microFinding({ ...nothing, figures: own })).toEqual([
    'Disk, sql: searching for an absent key takes 1 ms among 0 entries and 3 ms among 50,000.',
  ]);
});

test('an absent key through Blink is labelled as a load that ends at the server', () => {
  const own = figures(
    [{ part: 'search', cache: 'blink', row: 'absent', entries: 0 }, 7],
    [{ part: 'search', cache: 'blink', row: 'present', entries: 9 }, 1],
  );
  expect(microPivot('search', own).rows.map(({ names }) => names.slice(0, 2))).toEqual([
    ['Blink, disk, server', 'absent'],
    ['Blink, then disk', 'present'],
  ]);
});

test('without a usable iteration there is no finding', () => {
  expect(microFinding(nothing)).toEqual(['There is no usable iteration, so there is no finding.']);
});

test('a search among one number of entries has values, but nothing to compare', () => {
  const own = figures([{ part: 'search', cache: 'disk', row: 'absent', entries: 9 }, 1]);
  expect(microFinding({ ...nothing, figures: own })).toEqual([
    'The tables hold all measurements; no two of them can be compared.',
  ]);
});

test('every answer of the search for the crossover has a sentence', () => {
  const size = (bytes: number, outcome = 'open') => ({ bytes, outcome }) as never;
  const about = {
    storage: 'none',
    delayMs: 0,
    state: 'running',
    sizes: [size(1024), size(4096)],
  } as const;
  const none = { bytes: null, lowBytes: null, highBytes: null };
  const say = (rest: object) => crossoverSentence({ ...about, ...none, ...rest } as never, 0.1);
  const start = 'On ordinary storage, page cache warm, the disk is';
  expect(say({ answer: 'found', bytes: 3000, lowBytes: 2048, highBytes: 4096 })).toBe(
    `${start} more than 10 % slower than memory from about 2.93 KiB on: the size lies between 2 KiB and 4 KiB.`,
  );
  expect(say({ answer: 'found', bytes: 3000, highBytes: 4096 })).toBe(
    `${start} more than 10 % slower than memory from some size below 4 KiB on.`,
  );
  expect(say({ answer: 'at all sizes', highBytes: 1024 })).toMatch(/at all sizes from 1 KiB on\.$/);
  const smaller = [size(1024, 'slower'), size(4096, 'slower'), size(65_536)];
  expect(say({ answer: 'at smaller sizes', sizes: smaller })).toBe(
    `${start} more than 10 % slower than memory at 1 KiB and 4 KiB; at the largest size, 64 KiB, it is not shown to be.`,
  );
  expect(say({ answer: 'at no size' })).toMatch(/is not shown to be .* at any size up to 4 KiB\.$/);
});

test('a table has a row per measurement, a column per level, and a gap for missing values', () => {
  const own = figures(
    [{ cache: 'disk', bytes: 1024 }, 4],
    [{ cache: 'memory' }, 2],
    [{ cache: 'disk' }, 3],
    [{ cache: 'disk', row: 'overhead' }, 0.01],
  );
  const { head, levels, rows } = microPivot('table', own);
  expect([head, levels]).toEqual([
    ['cache', 'row'],
    ['50 B', '1 KiB'],
  ]);
  expect(rows.map((row) => [...row.names, ...row.figures.map((one) => one?.medianMs)])).toEqual([
    ['Disk cache', 'Hit', 3, 4],
    ['Disk cache', 'Call overhead', 0.01, undefined],
    ['Memory cache', 'Hit', 2, undefined],
  ]);
});
