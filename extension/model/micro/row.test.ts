import { expect, test } from 'vitest';
import { publishedValue, publishedList, publishedTable } from './history.ts';
import { tableLines } from './row.ts';
import { madeUpSlice } from '../fixtures/micro.ts';
import type { MicroCell } from './slice.ts';

const sizes = [50, 1024, 51200, 524288];

test('every line of the published table is a line of our table', () => {
  const lines = tableLines(['none', 'memory', 'disk'], sizes);
  for (const old of publishedTable) {
    const { cache, row, bytes } = old;
    expect(lines).toContainEqual({ cache, row, bytes });
  }
  // Our table also has what the published one could not measure: a miss by a new query, four sizes in two caches.
  expect(lines).toHaveLength(publishedTable.length + 8);
});

test('rows that do not depend on size appear once', () => {
  const lines = tableLines(['disk'], sizes);
  const sized = (row: string) => lines.filter((line) => line.row === row).map(({ bytes }) => bytes);
  for (const row of ['overhead', 'clear', 'miss-cleared']) expect(sized(row)).toEqual([50]);
  for (const row of ['miss-uncacheable', 'miss-query', 'hit']) expect(sized(row)).toEqual(sizes);
});

test('published averages are total time divided by runs, up to rounding', () => {
  for (const { totalMs, runs, averageMs } of [...publishedTable, ...publishedList])
    expect(Math.abs(totalMs / runs - averageMs)).toBeLessThan(0.011);
  const averageMs = (cell: Partial<MicroCell>) => publishedValue(madeUpSlice(cell).cell)?.averageMs;
  expect(averageMs({ cache: 'memory', row: 'hit', bytes: 524288 })).toBe(336.87);
  expect(averageMs({ part: 'list', cache: 'disk', row: 'hit', bytes: 524288 })).toBe(310.23);
  expect(averageMs({ cache: 'blink', row: 'hit', bytes: 50 })).toBeUndefined();
  expect(averageMs({ part: 'list', row: 'hit', state: 'relaunched' })).toBeUndefined();
});
