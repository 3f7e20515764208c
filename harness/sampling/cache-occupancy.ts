import { openSync, readdirSync, readSync, closeSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Number of entries and bytes in a cache. null: its back end does not report it. */
export interface CacheOccupancy {
  entries: number | null;
  bytes: number | null;
}

/** Offsets in the header of blockfile's index (net/disk_cache/blockfile/disk_format.h; observed in Chromium 156). */
const blockfileEntries = 8;
const blockfileBytes = 48;
const blockfileHeaderBytes = 56;

/**
 * Entries and bytes of a cache of the back end blockfile, from its index, which the running browser maps into memory,
 * so that the file is up to date. Both null when there is no such file.
 */
export function blockfileOccupancy(cacheData: string): CacheOccupancy {
  try {
    const file = openSync(join(cacheData, 'index'), 'r');
    try {
      const header = Buffer.alloc(blockfileHeaderBytes);
      if (readSync(file, header, 0, header.length, 0) < header.length) return unknownOccupancy;
      const bytes = Number(header.readBigInt64LE(blockfileBytes));
      return { entries: header.readInt32LE(blockfileEntries), bytes };
    } finally {
      closeSync(file);
    }
  } catch {
    return unknownOccupancy;
  }
}

/**
 * Bytes of a cache of the back end sql: the size of its database files, which include free pages. Its entries are
 * unknown: the database is locked while the browser runs.
 */
export function sqlOccupancy(cacheData: string): CacheOccupancy {
  try {
    const files = readdirSync(cacheData).filter((name) => name.startsWith('sqldb'));
    const sizes = files.map((name) => statSync(join(cacheData, name)).size);
    return { entries: null, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } catch {
    return unknownOccupancy;
  }
}

/** For a cache that reports nothing, such as one in memory. */
export const unknownOccupancy: CacheOccupancy = { entries: null, bytes: null };
