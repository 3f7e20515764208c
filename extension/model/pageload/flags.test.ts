import { expect, test } from 'vitest';
import { cachedRows, emptyCell, fetchedRows, madeUpPage, madeUpRow } from '../fixtures/pageload.ts';
import { pageloadFlags, type WitnessedLoad } from './flags.ts';

const [row0, row1, row2] = [madeUpRow(0), madeUpRow(1), madeUpRow(2)];
const warm = { ...emptyCell, state: 'warm' } as const;
const dictionary = { ...emptyCell, arm: 'dictionary' } as const;
const cold = { ...emptyCell, state: 'cold', storage: 'nbd-delay', delayMs: 5 } as const;
const [cached0, , cached2] = cachedRows as [typeof row0, typeof row0, typeof row0];
const silent = { reads: 0, readBytes: 0, writes: 0, writtenBytes: 0 };

const witnessed = { cell: emptyCell, rows: fetchedRows, device: null, pageCacheDrops: 0 };

function flags(load: Partial<WitnessedLoad>): string[] {
  const whole = { ...witnessed, ...load };
  return pageloadFlags(madeUpPage, whole, (place) => place === 1);
}

test('witnesses that agree raise no flag', () => {
  expect(flags({})).toEqual([]);
  expect(flags({ cell: warm, rows: cachedRows })).toEqual([]);
  const read = { ...silent, reads: 3 };
  expect(flags({ cell: cold, rows: cachedRows, device: read, pageCacheDrops: 1 })).toEqual([]);
  expect(flags({ cell: dictionary, rows: [row0, { ...row1, coding: 'dcb' }, row2] })).toEqual([]);
});

test.each([
  ['a resource that never ended', { rows: [row0, { ...row1, endMs: null }, row2] }, 'not-loaded'],
  ['a body that is not whole', { rows: [row0, { ...row1, bodyBytes: 999 }, row2] }, 'not-loaded'],
  [
    'a resource requested twice',
    { rows: [row0, { ...row1, requests: 2 }, row2] },
    'not-fetched-once',
  ],
  [
    'a fresh resource requested again',
    { cell: warm, rows: [cached0, row1, cached2] },
    'origin-touched',
  ],
  ['brotli instead of dcb', { cell: dictionary }, 'no-dictionary'],
  ['a device that was not read', { cell: cold, rows: cachedRows, device: silent }, 'device-silent'],
  [
    'a page cache dropped by another program',
    { cell: warm, rows: cachedRows, pageCacheDrops: 1 },
    'page-cache-dropped',
  ],
  [
    'a hit that the origin saw',
    { rows: [row0, { ...row1, source: 'disk' }, row2] },
    'sources-disagree',
  ],
  [
    'a fetch that the origin did not see',
    { cell: warm, rows: [cached0, { ...row1, requests: 0 }, cached2] },
    'sources-disagree',
  ],
])('%s is flagged', (_what, load, flag) => {
  expect(flags(load)).toEqual([flag]);
});

test('unknown values contradict nothing', () => {
  const rows = [row0, { ...row1, source: 'unknown', bodyBytes: null }, row2];
  expect(flags({ rows })).toEqual([]);
  expect(flags({ cell: cold, rows: cachedRows, device: null })).toEqual([]);
  expect(flags({ cell: warm, rows: cachedRows, pageCacheDrops: null })).toEqual([]);
});

test('documents and images need no dictionary', () => {
  const whole = { ...witnessed, cell: dictionary };
  expect(pageloadFlags(madeUpPage, whole, (place) => place !== 1)).toEqual([]);
});
