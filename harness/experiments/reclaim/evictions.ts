import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import { drawn, examplesOf, ordersShown } from '@cachescope/model/reclaim/order.ts';
import type { CacheFile, CacheDirectorySample } from '../../sampling/simple-cache-directory.ts';

/** Number of entries of each side whose order is compared, drawn evenly. */
const surveyed = 2000;
/**
 * A key whose entry was not seen on the disk is forgotten after this time, ms: it was never stored, or was evicted at
 * once.
 */
const forgetMs = 60_000;

/**
 * Overhead that Chromium adds to an entry's size when it ranks entries (kEstimatedEntryOverhead,
 * net/disk_cache/simple).
 */
const entryOverheadBytes = 512;

/** The data about a key from the received responses. */
interface Use {
  key: string;
  /** Time of the last write or read, ms since 1970. */
  usedAt: number;
  /** Number of reads since the last write. */
  reads: number;
}

/** An entry with all its known data. */
interface Known extends CacheFile, Use {}

/** Joins the received responses with the contents of the cache directory, and reports the evicted entries. */
export class EvictionWatch {
  readonly #uses = new Map<string, Use>();
  #last: CacheDirectorySample | null = null;

  /** Records a response for the key with this hash, from the cache or not, at `at` ms since 1970. */
  used(hash: string, key: string, fromCache: boolean, at: number): void {
    const known = this.#uses.get(hash);
    if (known && fromCache) {
      known.usedAt = at;
      known.reads++;
    } else this.#uses.set(hash, { key, usedAt: at, reads: 0 });
  }

  /** Number of entries in the directory for which a response is known. */
  named({ entries }: CacheDirectorySample): number {
    return entries.keys().reduce((sum, hash) => sum + Number(this.#uses.has(hash)), 0);
  }

  /** The entries evicted since the previous sample, as one eviction pass; null: none. Its `atMs` is ms since 1970. */
  found(sample: CacheDirectorySample): Omit<EvictionPass, 'sequence'> | null {
    const before = this.#last;
    this.#last = sample;
    const pass = before && sample.gone.length > 0 ? this.#passOf(before, sample) : null;
    this.#forget(sample);
    return pass;
  }

  #passOf(
    before: CacheDirectorySample,
    { takenAt, entries, bytes, gone }: CacheDirectorySample,
  ): Omit<EvictionPass, 'sequence'> {
    const known = (files: readonly [string, CacheFile][]) =>
      files.map(([hash, file]) => this.#known(hash, file));
    const some = (files: readonly [string, CacheFile][]) =>
      known(drawn(files, files.length, surveyed));
    // Entries written after the previous sample were no candidates for eviction.
    const stayed = [...entries].filter(([hash]) => before.entries.has(hash));
    const byAge = known(gone).toSorted((one, other) => one.writtenAt - other.writtenAt);
    return {
      kind: 'reclaim',
      atMs: takenAt,
      durationMs: takenAt - before.takenAt,
      how: 'observed',
      cause: 'bytes',
      before: { entries: before.entries.size, bytes: before.bytes },
      after: { entries: entries.size, bytes },
      evicted: gone.length,
      evictedBytes: gone.reduce((sum, [, file]) => sum + file.bytes, 0),
      ...ordersShown(some(gone), some(stayed), takenAt, entryOverheadBytes),
      examples: examplesOf(byAge, takenAt),
    };
  }

  /** A write counts as a use; for an entry without a known response it is the only use. */
  #known(hash: string, file: CacheFile): Known {
    const { key = hash, usedAt = 0, reads = 0 } = this.#uses.get(hash) ?? {};
    return { ...file, key, usedAt: Math.max(usedAt, file.writtenAt), reads };
  }

  /** Drops the keys of evicted entries, and keys that were never stored: a run of hours requests millions of keys. */
  #forget({ gone, entries, takenAt }: CacheDirectorySample): void {
    for (const [hash] of gone) this.#uses.delete(hash);
    for (const [hash, { usedAt }] of this.#uses)
      if (usedAt + forgetMs < takenAt && !entries.has(hash)) this.#uses.delete(hash);
  }
}
