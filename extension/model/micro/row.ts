import type { MicroCache } from './cache.ts';

/** The rows of the table, with the names of Mozilla's report. */
export const microRows = [
  'overhead',
  'clear',
  'miss-cleared',
  'miss-uncacheable',
  'miss-query',
  'hit',
] as const;
export type MicroRow = (typeof microRows)[number];

/** Labels for display. */
export const microRowLabels: Readonly<Record<MicroRow, string>> = {
  overhead: 'Call overhead',
  clear: 'Call overhead + clear',
  'miss-cleared': 'Miss, after clear',
  'miss-uncacheable': 'Miss, not cacheable',
  'miss-query': 'Miss, new query',
  hit: 'Hit',
};

/** One run of each row, for the report. */
export const microRowNotes: Readonly<Record<MicroRow, string>> = {
  overhead:
    'everything that an iteration does except the read: the URL, the Request object (or the element), two awaited promises',
  clear:
    'the cache is cleared: a response with Clear-Site-Data: "cache" for the HTTP cache, caches.delete() for Cache Storage',
  'miss-cleared': 'the cache is cleared, then one read, which must go to the server',
  'miss-uncacheable': 'one read of a response with Cache-Control: no-store',
  'miss-query': 'one read of a URL with a query that was never used before; the response is stored',
  hit: 'one read of a URL that is in the cache',
};

/** Rows of each cache. Impossible operations have no row: Blink's memory cache cannot be cleared alone. */
const rowsOfCache: Readonly<Record<MicroCache, readonly MicroRow[]>> = {
  none: ['overhead', 'clear', 'miss-uncacheable'],
  memory: microRows,
  disk: microRows,
  blink: ['overhead', 'miss-query', 'hit'],
  'cache-storage': microRows,
  'service-worker': microRows,
};

/** Rows that Mozilla's report has once, because they do not depend on the size of the resource. */
const oncePerCache = new Set<MicroRow>(['overhead', 'clear', 'miss-cleared']);

/** A line of the table. */
export interface TableLine {
  cache: MicroCache;
  row: MicroRow;
  /** Body bytes of the resource. */
  bytes: number;
}

/**
 * The lines of the table in the order of Mozilla's report: by size, cache, row. Rows that do not depend on size appear
 * at the first size only.
 */
export function tableLines(
  caches: readonly MicroCache[],
  sizesBytes: readonly number[],
): TableLine[] {
  return sizesBytes.flatMap((bytes, place) =>
    caches.flatMap((cache) =>
      rowsOfCache[cache]
        .filter((row) => place === 0 || !oncePerCache.has(row))
        .map((row) => ({ cache, row, bytes })),
    ),
  );
}
