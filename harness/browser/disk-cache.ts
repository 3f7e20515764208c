import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** First 8 bytes of an entry file of Chromium's simple back end (net/disk_cache/simple/simple_entry_format.h). */
const simpleEntryMagic = 0xfcfb6d1ba7725c30n;
const headerBytes = 24;

/** How one response is stored in the cache. */
export interface CacheEntry {
  /** Headers, body, and about 100 bytes of the cache's own. */
  storedBytes: number;
  /** Time of the last write (back end sql: last use), ms since 1970. */
  writtenAt: number;
}

/** Where `--disk-cache-dir` keeps the HTTP cache of the default profile. */
export function cacheDataDirectory(cacheDirectory: string): string {
  return join(cacheDirectory, 'Default', 'Cache', 'Cache_Data');
}

/** Key of the entry in one `<hash>_0` file; null when the file is not an entry. */
async function entryKey(path: string): Promise<string | null> {
  await using file = await open(path);
  const header = Buffer.alloc(headerBytes);
  const { bytesRead } = await file.read(header, 0, headerBytes, 0);
  if (bytesRead < headerBytes || header.readBigUInt64LE(0) !== simpleEntryMagic) return null;
  const key = Buffer.alloc(header.readUInt32LE(12));
  await file.read(key, 0, key.length, headerBytes);
  return key.toString('utf8');
}

/** The key is the URL after its partition: `1/0/_dk_SITE SITE URL`, or `1/0/URL` without one. */
function urlOf(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1).replace(/^\d+\/\d+\//, '');
}

/** Other files of an entry's body: `_1` a second stream, `_s` ranges. */
async function entryOf(directory: string, name: string, names: Set<string>): Promise<CacheEntry> {
  const files = [name, name.replace(/0$/, '1'), name.replace(/0$/, 's')];
  const there = files.filter((file) => names.has(file));
  const stats = await Promise.all(there.map((file) => stat(join(directory, file))));
  return {
    storedBytes: stats.reduce((sum, { size }) => sum + size, 0),
    writtenAt: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
  };
}

/**
 * Every response in Chromium's cache, by URL, of the back end simple and, once the browser is closed, of sql. A URL
 * without an entry is absent: unknown, or not stored; so is one with entries in two partitions, because their sizes may
 * differ. The entries of the back end blockfile are not listed, so the map is empty there. The call reads inodes and
 * keys into the page cache.
 */
export async function cacheEntries(cacheDirectory: string): Promise<Map<string, CacheEntry>> {
  const files = await simpleEntries(cacheDirectory);
  return files.size > 0 ? files : entriesInSql(cacheDirectory);
}

async function entriesInSql(cacheDirectory: string): Promise<Map<string, CacheEntry>> {
  // A running browser holds locks: what cannot be read is unknown.
  const rows = await sqlEntries(cacheDataDirectory(cacheDirectory)).catch(() => []);
  const entries = new Map<string, CacheEntry>();
  const urls = rows.map(({ key }) => urlOf(key));
  for (const [index, { storedBytes, usedAt }] of rows.entries()) {
    const url = urls[index] ?? '';
    if (urls.indexOf(url) === urls.lastIndexOf(url))
      entries.set(url, { storedBytes, writtenAt: usedAt });
  }
  return entries;
}

async function simpleEntries(cacheDirectory: string): Promise<Map<string, CacheEntry>> {
  const directory = cacheDataDirectory(cacheDirectory);
  const names = new Set(await readdir(directory).catch(() => []));
  const entries = new Map<string, CacheEntry>();
  const ambiguous = new Set<string>();
  for (const name of names) {
    if (!name.endsWith('_0')) continue;
    try {
      const key = await entryKey(join(directory, name));
      if (key === null) continue;
      const url = urlOf(key);
      if (entries.has(url)) ambiguous.add(url);
      entries.set(url, await entryOf(directory, name, names));
    } catch (error) {
      // A running browser may have removed it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  for (const url of ambiguous) entries.delete(url);
  return entries;
}

/** Offset of the version of the file format that a reader needs in the header of a database (sqlite.org/fileformat2.html). */
const readVersionAt = 19;
/** That version of a database with a write-ahead log; with a rollback journal it is 1. */
const writeAheadVersion = 2;

/** The names of the databases of the back end sql. */
async function databaseNames(dataDirectory: string): Promise<string[]> {
  const names = await readdir(dataDirectory).catch(() => []);
  return names.filter((name) => /^sqldb\d+$/.test(name));
}

/** The databases of the back end sql under a `--disk-cache-dir`; empty for another back end. The browser is closed. */
export async function sqlDatabases(cacheDirectory: string): Promise<{ isWriteAhead: boolean }[]> {
  const directory = cacheDataDirectory(cacheDirectory);
  const databases: { isWriteAhead: boolean }[] = [];
  for (const name of await databaseNames(directory)) {
    await using file = await open(join(directory, name));
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, readVersionAt);
    databases.push({ isWriteAhead: buffer[0] === writeAheadVersion });
  }
  return databases;
}

/** One resource of Chromium's SQL back end. */
interface SqlEntry {
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
  const names = await databaseNames(dataDirectory);
  return names.flatMap((name) => entriesOf(join(dataDirectory, name)));
}
