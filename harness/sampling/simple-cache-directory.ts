import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of Chromium's simple cache back end, as its file shows it. */
export interface CacheFile {
  /** Size of its file: key, headers, body, and some 100 bytes of the cache's own. */
  bytes: number;
  /** When it was written, ms since 1970. */
  writtenAt: number;
}

/** What a look at the folder has found. */
export interface CacheFolderLook {
  /** When the names were read, ms since 1970. */
  takenAt: number;
  /** What is there now, by the hash of its key. */
  entries: ReadonlyMap<string, CacheFile>;
  /** Sum of their files, bytes. */
  bytes: number;
  /** What was there at the last look and has gone. */
  gone: [hash: string, file: CacheFile][];
}

/** The first file of an entry, and its only one for most: `0123456789abcdef_0`. */
const entryFile = /^[0-9a-f]{16}_0$/;

/** A file is taken for whole when it has not been written for so long, ms. */
const restMs = 1000;

/** A file, and whether it still may have grown after it was looked at. */
interface SeenFile extends CacheFile {
  isWhole: boolean;
}

/**
 * Looks at the folder of a simple cache again and again. Names are read each time, sizes until a file has come to rest, so
 * that 36,000 entries cost some 30 ms of a processor and a thousand cost 1 ms. Nothing of it is opened.
 */
export class SimpleCacheDirectory {
  readonly #directory: string;
  readonly #now: () => number;
  #entries = new Map<string, SeenFile>();

  constructor(directory: string, now: () => number = Date.now) {
    this.#directory = directory;
    this.#now = now;
  }

  /** Looks now. A folder that is not there yet is empty. */
  look(): CacheFolderLook {
    const takenAt = this.#now();
    const before = this.#entries;
    const entries = new Map<string, SeenFile>();
    let bytes = 0;
    for (const name of namesIn(this.#directory)) {
      if (!entryFile.test(name)) continue;
      const hash = name.slice(0, 16);
      const known = before.get(hash);
      const file = known?.isWhole ? known : this.#fileOf(name, takenAt);
      if (!file) continue;
      entries.set(hash, file);
      bytes += file.bytes;
    }
    this.#entries = entries;
    const gone = [...before].filter(([hash]) => !entries.has(hash));
    return { takenAt, entries, bytes, gone };
  }

  /** null when it has gone meanwhile. */
  #fileOf(name: string, now: number): SeenFile | null {
    try {
      const { size, mtimeMs } = statSync(join(this.#directory, name));
      return { bytes: size, writtenAt: mtimeMs, isWhole: mtimeMs + restMs < now };
    } catch {
      return null;
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { encoding: 'latin1' });
  } catch {
    return [];
  }
}

/** Name of an entry's file without its ending: the first 8 bytes of the key's SHA-1, as a little-endian number. */
export function simpleCacheHash(key: string): string {
  const digest = createHash('sha1').update(key).digest();
  return digest.readBigUInt64LE(0).toString(16).padStart(16, '0');
}

/**
 * Key of an answer to a GET in the HTTP cache: no credentials, and apart from other sites' by the site of the page (network
 * isolation key, seen in Chromium 156).
 */
export function httpCacheKey(pageSite: string, url: string): string {
  return `1/0/_dk_${pageSite} ${pageSite} ${url}`;
}
