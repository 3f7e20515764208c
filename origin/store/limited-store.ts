import type { EvictionPolicy } from './eviction-policy.ts';

/** Limits of a store, and its eviction ratio. */
export interface StoreLimit {
  /** Default: unlimited. */
  entries?: number;
  /** Of all values together; default: unlimited. */
  bytes?: number;
  /** Share of the limit that is evicted once the limit is reached, 0 to below 1; default 0: only as much as needed. */
  reclaimRatio?: number;
}

/** Metadata of an entry. Times by `now`, ms. */
export interface EntryTimes {
  bytes: number;
  writtenAt: number;
  /** Time of its last read or write. */
  usedAt: number;
  reads: number;
}

interface Entry<Value> extends EntryTimes {
  value: Value;
}

/** A finished eviction pass. */
export interface Reclaim {
  cause: 'entries' | 'bytes';
  /** Time by `now`, ms. */
  startedAt: number;
  durationMs: number;
  before: { entries: number; bytes: number };
  after: { entries: number; bytes: number };
  /** Evicted entries, in order. */
  evicted: readonly (EntryTimes & { key: string })[];
}

export interface LimitedStoreOptions {
  limit?: StoreLimit;
  policy: EvictionPolicy;
  /** Called synchronously after every eviction pass. */
  reclaimed?: (reclaim: Reclaim) => void;
  /** Default performance.now. */
  now?: () => number;
}

/**
 * Values by key within a limit. Room is made before a value is added, so the limit is never exceeded; a value larger
 * than the limit is not stored.
 */
export class LimitedStore<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #limit: Required<StoreLimit>;
  readonly #policy: EvictionPolicy;
  readonly #reclaimed: (reclaim: Reclaim) => void;
  readonly #now: () => number;
  #bytes = 0;

  constructor({
    limit,
    policy,
    reclaimed = () => undefined,
    now = () => performance.now(),
  }: LimitedStoreOptions) {
    this.#limit = { entries: Infinity, bytes: Infinity, reclaimRatio: 0, ...limit };
    this.#policy = policy;
    this.#reclaimed = reclaimed;
    this.#now = now;
  }

  get entries(): number {
    return this.#entries.size;
  }

  /** Bytes of all values together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the value and counts a read; undefined when the key is not stored. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.usedAt = this.#now();
    entry.reads++;
    this.#policy.read(key);
    return entry.value;
  }

  /** Stores a value, replacing the previous value of the key. False when it is larger than the limit. */
  set(key: string, value: Value, bytes: number): boolean {
    if (bytes > this.#limit.bytes || this.#limit.entries < 1) {
      this.delete(key);
      return false;
    }
    // The policy still knows the key: it treats the new value as a rewrite.
    const former = this.#entries.get(key);
    if (former) this.#drop(key, former);
    this.#makeRoom(bytes);
    this.#bytes += bytes;
    const now = this.#now();
    this.#entries.set(key, { value, bytes, writtenAt: now, usedAt: now, reads: 0 });
    this.#policy.written(key, bytes);
    return true;
  }

  /** False when the key was not stored. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#policy.removed(key);
    this.#drop(key, entry);
    return true;
  }

  /** Metadata of each entry, in no particular order. */
  times(): Iterable<EntryTimes> {
    return this.#entries.values();
  }

  #drop(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** Makes room for one more entry of `bytes`. */
  #makeRoom(bytes: number): void {
    const { limit } = this;
    const tooMany = this.#entries.size + 1 > limit.entries;
    const tooLarge = this.#bytes + bytes > limit.bytes;
    if (!tooMany && !tooLarge) return;
    const keep = 1 - limit.reclaimRatio;
    const mostEntries = tooMany ? Math.max(0, Math.floor(keep * limit.entries) - 1) : Infinity;
    const mostBytes = tooLarge ? Math.max(0, keep * limit.bytes - bytes) : Infinity;
    const startedAt = this.#now();
    const before = { entries: this.#entries.size, bytes: this.#bytes };
    const evicted: (EntryTimes & { key: string })[] = [];
    while (this.#entries.size > mostEntries || this.#bytes > mostBytes) {
      const key = this.#policy.next();
      if (key === undefined) break;
      const entry = this.#entries.get(key);
      // The entry that is being rewritten.
      if (!entry) continue;
      this.#drop(key, entry);
      const { writtenAt, usedAt, reads } = entry;
      evicted.push({ key, bytes: entry.bytes, writtenAt, usedAt, reads });
    }
    const durationMs = this.#now() - startedAt;
    const after = { entries: this.#entries.size, bytes: this.#bytes };
    const cause = tooMany ? 'entries' : 'bytes';
    this.#reclaimed({ cause, startedAt, durationMs, before, after, evicted });
  }

  get limit(): Required<StoreLimit> {
    return this.#limit;
  }
}
