import type { MicroCache } from './cache.ts';
import type { MicroRow } from './row.ts';
import type { MicroCell } from './slice.ts';

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

const sizesBytes = [50, 1024, 51_200, 524_288];

/** Reads lines of cache, row, and total ms, runs and average ms at the first size or at each. */
function published(lines: string): PublishedValue[] {
  return Array.from(lines.matchAll(/(\S+) +(\S+) +(.+)/g), ([, cache, row, values = '']) =>
    values.split('|').map((value, place) => {
      const [totalMs = 0, runs = 0, averageMs = 0] = value.trim().split(' ').map(Number);
      const bytes = sizesBytes[place] ?? 0;
      return { cache: cache as MicroCache, row: row as MicroRow, bytes, totalMs, runs, averageMs };
    }),
  ).flat();
}

/** The table of test_timing_cache.js: one load repeated for 10 s. */
export const publishedTable: readonly PublishedValue[] = published(`
  none    overhead          10016 14594 0.69
  none    clear             10015 11647 0.86
  none    miss-uncacheable  10047 368 27.3  | 10020 339 29.56 | 10095 103 98.01 | 10277 14 734.07
  memory  overhead          10015 14532 0.69
  memory  clear             10016 11616 0.86
  memory  miss-cleared      10018 360 27.83
  memory  miss-uncacheable  10032 367 27.34 | 10037 351 28.6  | 10023 104 96.38 | 10312 14 736.57
  memory  hit               10017 4674 2.14 | 10019 3634 2.76 | 10070 306 32.91 | 10443 31 336.87
  disk    overhead          10015 13954 0.72
  disk    clear             10017 6723 1.49
  disk    miss-cleared      10033 346 29
  disk    miss-uncacheable  10032 357 28.1  | 10048 345 29.12 | 10110 104 97.21 | 10283 14 734.5
  disk    hit               10017 4709 2.13 | 10018 3535 2.83 | 10054 301 33.4  | 10451 31 337.13
`);

/** The table of test_timing_cache_2.js: 101 resources loaded, all cache I/O awaited, loaded again. */
export const publishedList: readonly PublishedValue[] = published(`
  none    miss-uncacheable  2803 101 27.75  | 2884 101 28.55  | 9546 101 94.51  | 75942 101 751.9
  memory  miss-query        2767 101 27.4   | 2570 101 25.45  | 9536 101 94.42  | 75840 101 750.89
  memory  hit               205 101 2.03    | 269 101 2.66    | 3274 101 32.42  | 27799 101 275.24
  disk    miss-query        2783 101 27.55  | 2910 101 28.81  | 9543 101 94.49  | 79318 101 785.33
  disk    hit               186 101 1.84    | 271 101 2.68    | 3274 101 32.42  | 31333 101 310.23
`);

/**
 * The published value of a cell; undefined when Mozilla's report has none. There are none for relaunches and slow
 * devices.
 */
export function publishedValue(cell: MicroCell): PublishedValue | undefined {
  if (cell.state !== 'running' || cell.storage !== 'none') return undefined;
  const values = { table: publishedTable, list: publishedList, search: [], crossover: [] };
  return values[cell.part].find(
    ({ cache, row, bytes }) => cache === cell.cache && row === cell.row && bytes === cell.bytes,
  );
}
