import type { EvictedEntry, ReclaimMoment } from '@cachescope/model/reclaim/moment.ts';
import { earlierShare } from '@cachescope/model/reclaim/order.ts';
import type { CacheFile, CacheFolderLook } from '../../sampling/simple-cache-directory.ts';

/** Entries of each side whose order is compared, evenly drawn. */
const surveyed = 2000;
const mostExamples = 8;
/** A key whose entry was not seen on the disk is forgotten after so long, ms: it was never stored, or went at once. */
const forgetMs = 60_000;

/** What Chromium adds to an entry's size when it weighs entries (kEstimatedEntryOverhead, net/disk_cache/simple). */
const entryOverheadBytes = 512;

/** What is known of a key from the answers that came. */
interface Use {
  key: string;
  /** When it was last written or read, ms since 1970. */
  usedAt: number;
  /** How often it was read since it was written. */
  reads: number;
}

/** An entry, with all that is known of it. */
interface Known extends CacheFile, Use {}

/** Joins what was asked for with what the folder of the cache shows, and tells what went. */
export class EvictionWatch {
  readonly #uses = new Map<string, Use>();
  #last: CacheFolderLook | null = null;

  /** An answer came for the key with this hash, from the cache or not, at so many ms since 1970. */
  used(hash: string, key: string, fromCache: boolean, at: number): void {
    const known = this.#uses.get(hash);
    if (known && fromCache) {
      known.usedAt = at;
      known.reads++;
    } else this.#uses.set(hash, { key, usedAt: at, reads: 0 });
  }

  /** How many of the entries in the folder some answer is known of. */
  named({ entries }: CacheFolderLook): number {
    return entries.keys().reduce((sum, hash) => sum + Number(this.#uses.has(hash)), 0);
  }

  /** What went since the look before, as one reclaim; null when nothing did. `atMs` of it: ms since 1970. */
  found(look: CacheFolderLook): Omit<ReclaimMoment, 'sequence'> | null {
    const before = this.#last;
    this.#last = look;
    const moment = before && look.gone.length > 0 ? this.#momentOf(before, look) : null;
    this.#forget(look);
    return moment;
  }

  #momentOf(before: CacheFolderLook, look: CacheFolderLook): Omit<ReclaimMoment, 'sequence'> {
    const went = look.gone.map(([hash, file]) => this.#known(hash, file));
    // What came after the last look was not there to be chosen.
    const stayed = drawn([...look.entries].filter(([hash]) => before.entries.has(hash))).map(
      ([hash, file]) => this.#known(hash, file),
    );
    const some = drawn(went);
    const order = (value: (entry: Known) => number) =>
      earlierShare(some.map(value), stayed.map(value));
    const weight = ({ usedAt, bytes }: Known) =>
      (usedAt - look.takenAt) * (bytes + entryOverheadBytes);
    return {
      kind: 'reclaim',
      atMs: look.takenAt,
      durationMs: look.takenAt - before.takenAt,
      how: 'observed',
      cause: 'bytes',
      before: { entries: before.entries.size, bytes: before.bytes },
      after: { entries: look.entries.size, bytes: look.bytes },
      evicted: went.length,
      evictedBytes: went.reduce((sum, { bytes }) => sum + bytes, 0),
      byWrite: order(({ writtenAt }) => writtenAt),
      byUse: order(({ usedAt }) => usedAt),
      bySize: order(({ bytes }) => -bytes),
      byUseAndSize: order(weight),
      examples: examplesOf(went, look.takenAt),
    };
  }

  /** Writing is a use; of an entry that no answer is known of, the only one. */
  #known(hash: string, file: CacheFile): Known {
    const { key = hash, usedAt = 0, reads = 0 } = this.#uses.get(hash) ?? {};
    return { ...file, key, usedAt: Math.max(usedAt, file.writtenAt), reads };
  }

  /** What is told once it has gone, and what never came, is not kept: a run of hours asks for millions of keys. */
  #forget({ gone, entries, takenAt }: CacheFolderLook): void {
    for (const [hash] of gone) this.#uses.delete(hash);
    for (const [hash, { usedAt }] of this.#uses)
      if (usedAt + forgetMs < takenAt && !entries.has(hash)) this.#uses.delete(hash);
  }
}

/** Some of many, evenly over their order. */
function drawn<Item>(items: readonly Item[], most = surveyed): Item[] {
  const step = Math.max(1, items.length / most);
  return Array.from(
    { length: Math.min(items.length, most) },
    (_, index) => items[Math.floor(index * step)] as Item,
  );
}

function examplesOf(went: readonly Known[], now: number): EvictedEntry[] {
  const byAge = went.toSorted((one, other) => one.writtenAt - other.writtenAt);
  return drawn(byAge, mostExamples).map(({ key, bytes, writtenAt, usedAt, reads }) => ({
    key,
    bytes,
    ageMs: now - writtenAt,
    idleMs: now - usedAt,
    uses: reads,
  }));
}
