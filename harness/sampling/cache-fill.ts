import { openSync, readdirSync, readSync, closeSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How full a cache is. null: its back end does not tell. */
export interface CacheFill {
  entries: number | null;
  bytes: number | null;
}

/** Places in the header of blockfile's index (net/disk_cache/blockfile/disk_format.h; seen in Chromium 156). */
const blockfileEntries = 8;
const blockfileBytes = 48;
const blockfileHeaderBytes = 56;

/**
 * Entries and bytes of a cache of the back end blockfile, as its index counts them: it is mapped into memory, so the file
 * tells what the running browser knows. Both null when there is no such file.
 */
export function blockfileFill(cacheData: string): CacheFill {
  try {
    const file = openSync(join(cacheData, 'index'), 'r');
    try {
      const header = Buffer.alloc(blockfileHeaderBytes);
      if (readSync(file, header, 0, header.length, 0) < header.length) return unknownFill;
      const bytes = Number(header.readBigInt64LE(blockfileBytes));
      return { entries: header.readInt32LE(blockfileEntries), bytes };
    } finally {
      closeSync(file);
    }
  } catch {
    return unknownFill;
  }
}

/**
 * Bytes of a cache of the back end sql: of its database files, which keep pages that have become free. Its entries are
 * behind a lock as long as the browser runs.
 */
export function sqlFill(cacheData: string): CacheFill {
  try {
    const files = readdirSync(cacheData).filter((name) => name.startsWith('sqldb'));
    const sizes = files.map((name) => statSync(join(cacheData, name)).size);
    return { entries: null, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } catch {
    return unknownFill;
  }
}

/** Of a cache that tells nothing, as one in memory. */
export const unknownFill: CacheFill = { entries: null, bytes: null };
