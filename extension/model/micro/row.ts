import type { MicroCache } from './cache.ts';

/** The rows of the table, in the words of the document that they come from. */
export const microRows = [
  'overhead',
  'clear',
  'miss-cleared',
  'miss-uncacheable',
  'miss-query',
  'hit',
] as const;
export type MicroRow = (typeof microRows)[number];

/** For people. */
export const microRowLabels: Readonly<Record<MicroRow, string>> = {
  overhead: 'Call overhead',
  clear: 'Call overhead + clear',
  'miss-cleared': 'Miss, after clear',
  'miss-uncacheable': 'Miss, not cacheable',
  'miss-query': 'Miss, new query',
  hit: 'Hit',
};

/** What one run of a row does, in a sentence for the report. */
export const microRowNotes: Readonly<Record<MicroRow, string>> = {
  overhead:
    'everything that a run does except the read: the URL, the Request object (or the element), two awaited promises',
  clear:
    'the cache is cleared: a response with Clear-Site-Data: "cache" for the HTTP cache, caches.delete() for Cache Storage',
  'miss-cleared': 'the cache is cleared, then one read, which must go to the server',
  'miss-uncacheable': 'one read of a response with Cache-Control: no-store',
  'miss-query': 'one read of a URL with a query that was never used before; the response is stored',
  hit: 'one read of a URL that is in the cache',
};

/** Rows of each cache. What cannot be done to a cache has no row: nothing empties Blink's alone. */
const rowsOfCache: Readonly<Record<MicroCache, readonly MicroRow[]>> = {
  none: ['overhead', 'clear', 'miss-uncacheable'],
  memory: microRows,
  disk: microRows,
  blink: ['overhead', 'miss-query', 'hit'],
  'cache-storage': microRows,
  'service-worker': microRows,
};

/** Rows that the document reports once, because the size of the resource does not matter to them. */
const oncePerCache = new Set<MicroRow>(['overhead', 'clear', 'miss-cleared']);

/** A line of the table. */
export interface TableLine {
  cache: MicroCache;
  row: MicroRow;
  /** Body bytes of the resource. */
  bytes: number;
}

/** The lines of the table in the document's order: by size, cache, row; what no size matters to, at the first size only. */
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
