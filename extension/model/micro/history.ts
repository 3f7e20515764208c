import type { MicroCache } from './cache.ts';
import type { MicroRow } from './row.ts';

/** Source of the published values. */
export const microHistorySource =
  'Necko/MobileCache/MicroBenchmarks, Mozilla wiki, by Bjarne Herland (Mozilla): test_timing_cache.js and test_timing_cache_2.js on a Linux server, 64-bit Ubuntu 10.4, Firefox with its xpcshell test server; memory cache 51,200 KB, disk cache 1,048,576 KB, 256 connections';

/** One published value: the average time per run in Mozilla's report. */
export interface PublishedValue {
  cache: MicroCache;
  row: MicroRow;
  bytes: number;
  totalMs: number;
  runs: number;
  averageMs: number;
}

type Line = [cache: MicroCache, row: MicroRow, totalMs: number, runs: number, averageMs: number];

function published(tables: Readonly<Record<number, readonly Line[]>>): PublishedValue[] {
  return Object.entries(tables).flatMap(([bytes, lines]) =>
    lines.map(([cache, row, totalMs, runs, averageMs]) => ({
      cache,
      row,
      bytes: Number(bytes),
      totalMs,
      runs,
      averageMs,
    })),
  );
}

/** The table of test_timing_cache.js: one load repeated for 10 s. */
export const publishedTable: readonly PublishedValue[] = published({
  50: [
    ['none', 'overhead', 10016, 14594, 0.69],
    ['none', 'clear', 10015, 11647, 0.86],
    ['none', 'miss-uncacheable', 10047, 368, 27.3],
    ['memory', 'overhead', 10015, 14532, 0.69],
    ['memory', 'clear', 10016, 11616, 0.86],
    ['memory', 'miss-cleared', 10018, 360, 27.83],
    ['memory', 'miss-uncacheable', 10032, 367, 27.34],
    ['memory', 'hit', 10017, 4674, 2.14],
    ['disk', 'overhead', 10015, 13954, 0.72],
    ['disk', 'clear', 10017, 6723, 1.49],
    ['disk', 'miss-cleared', 10033, 346, 29],
    ['disk', 'miss-uncacheable', 10032, 357, 28.1],
    ['disk', 'hit', 10017, 4709, 2.13],
  ],
  1024: [
    ['none', 'miss-uncacheable', 10020, 339, 29.56],
    ['memory', 'miss-uncacheable', 10037, 351, 28.6],
    ['memory', 'hit', 10019, 3634, 2.76],
    ['disk', 'miss-uncacheable', 10048, 345, 29.12],
    ['disk', 'hit', 10018, 3535, 2.83],
  ],
  51200: [
    ['none', 'miss-uncacheable', 10095, 103, 98.01],
    ['memory', 'miss-uncacheable', 10023, 104, 96.38],
    ['memory', 'hit', 10070, 306, 32.91],
    ['disk', 'miss-uncacheable', 10110, 104, 97.21],
    ['disk', 'hit', 10054, 301, 33.4],
  ],
  524288: [
    ['none', 'miss-uncacheable', 10277, 14, 734.07],
    ['memory', 'miss-uncacheable', 10312, 14, 736.57],
    ['memory', 'hit', 10443, 31, 336.87],
    ['disk', 'miss-uncacheable', 10283, 14, 734.5],
    ['disk', 'hit', 10451, 31, 337.13],
  ],
});

/** The table of test_timing_cache_2.js: 101 resources loaded, all cache I/O awaited, loaded again. */
export const publishedList: readonly PublishedValue[] = published({
  50: [
    ['none', 'miss-uncacheable', 2803, 101, 27.75],
    ['memory', 'miss-query', 2767, 101, 27.4],
    ['memory', 'hit', 205, 101, 2.03],
    ['disk', 'miss-query', 2783, 101, 27.55],
    ['disk', 'hit', 186, 101, 1.84],
  ],
  1024: [
    ['none', 'miss-uncacheable', 2884, 101, 28.55],
    ['memory', 'miss-query', 2570, 101, 25.45],
    ['memory', 'hit', 269, 101, 2.66],
    ['disk', 'miss-query', 2910, 101, 28.81],
    ['disk', 'hit', 271, 101, 2.68],
  ],
  51200: [
    ['none', 'miss-uncacheable', 9546, 101, 94.51],
    ['memory', 'miss-query', 9536, 101, 94.42],
    ['memory', 'hit', 3274, 101, 32.42],
    ['disk', 'miss-query', 9543, 101, 94.49],
    ['disk', 'hit', 3274, 101, 32.42],
  ],
  524288: [
    ['none', 'miss-uncacheable', 75942, 101, 751.9],
    ['memory', 'miss-query', 75840, 101, 750.89],
    ['memory', 'hit', 27799, 101, 275.24],
    ['disk', 'miss-query', 79318, 101, 785.33],
    ['disk', 'hit', 31333, 101, 310.23],
  ],
});

/** The published value of a row; undefined when Mozilla's report has none. */
export function publishedValue(
  table: readonly PublishedValue[],
  wanted: Pick<PublishedValue, 'cache' | 'row' | 'bytes'>,
): PublishedValue | undefined {
  return table.find(
    ({ cache, row, bytes }) =>
      cache === wanted.cache && row === wanted.row && bytes === wanted.bytes,
  );
}
