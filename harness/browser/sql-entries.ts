import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** One resource of Chromium's SQL back end. */
export interface SqlEntry {
  /** Chromium's cache key: the URL after its partition. */
  key: string;
  /** Key, headers and body, as the back end counts them against the cache's maximum size. */
  storedBytes: number;
  /** Last use, ms since 1970. */
  usedAt: number;
}

/** Chromium counts time in microseconds from 1601. */
const msFrom1601To1970 = 11_644_473_600_000;

/** Microseconds exceed a double's precision, so they are queried as text. */
const question = `
  SELECT cache_key AS key, bytes_usage AS storedBytes, CAST(last_used AS TEXT) AS lastUsedUs
  FROM resources WHERE doomed = 0`;

function entriesOf(database: string): SqlEntry[] {
  const opened = new DatabaseSync(database, { readOnly: true });
  try {
    const rows = opened.prepare(question).all();
    return rows.map(({ key, storedBytes, lastUsedUs }) => ({
      key: String(key),
      storedBytes: Number(storedBytes),
      usedAt: Number(BigInt(String(lastUsedUs)) / 1000n) - msFrom1601To1970,
    }));
  } finally {
    opened.close();
  }
}

/**
 * Every live entry of a cache of the SQL back end (Chromium 156: tables `resources` and `blobs` in the files `sqldb0`,
 * `sqldb1`, …, by the key's hash). Empty where there is none. A running browser holds locks: call this when it is
 * closed.
 *
 * @throws Error of node:sqlite when a database is locked, or has another schema than this Chromium's.
 */
export async function sqlEntries(dataDirectory: string): Promise<SqlEntry[]> {
  if (!existsSync(dataDirectory)) return [];
  const files = (await readdir(dataDirectory)).filter((name) => /^sqldb\d+$/.test(name));
  return files.flatMap((name) => entriesOf(join(dataDirectory, name)));
}
