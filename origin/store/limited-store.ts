import type { EvictionPolicy } from './eviction-policy.ts';

/** What a store may hold, and how it makes room. */
export interface StoreLimit {
  /** Default: without limit. */
  entries?: number;
  /** Of all values together; default: without limit. */
  bytes?: number;
  /** Share of the limit that is given up once it is reached, 0 to below 1; default 0: as much as is needed. */
  reclaimRatio?: number;
}

/** What is known of an entry beside its value. Times as `now` tells them, ms. */
export interface EntryTimes {
  bytes: number;
  writtenAt: number;
  /** Of its last reading, or writing. */
  usedAt: number;
  reads: number;
}

interface Entry<Value> extends EntryTimes {
  value: Value;
}

/** One making of room, as it is told when it is done. */
export interface Reclaim {
  cause: 'entries' | 'bytes';
  /** As `now` tells it, and ms. */
  startedAt: number;
  durationMs: number;
  before: { entries: number; bytes: number };
  after: { entries: number; bytes: number };
  /** Those that went, in the order in which they went. */
  evicted: readonly (EntryTimes & { key: string })[];
}

export interface LimitedStoreOptions {
  limit?: StoreLimit;
  policy: EvictionPolicy;
  /** Told of every reclaim, at once. */
  reclaimed?: (reclaim: Reclaim) => void;
  /** Default performance.now. */
  now?: () => number;
}

/**
 * Values by key within a limit. Room is made before a value is added, so the limit is never exceeded; what is larger than
 * the limit is not kept at all.
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

  /** Of all values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value, and notes that it was used; undefined when it is not here. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.usedAt = this.#now();
    entry.reads++;
    this.#policy.read(key);
    return entry.value;
  }

  /** Keeps a value, in place of the one of the same key. False when it is larger than the limit. */
  set(key: string, value: Value, bytes: number): boolean {
    if (bytes > this.#limit.bytes || this.#limit.entries < 1) {
      this.delete(key);
      return false;
    }
    // The policy knows the key still: a value in its place is a rewriting of it.
    const former = this.#entries.get(key);
    if (former) this.#drop(key, former);
    this.#makeRoom(bytes);
    this.#bytes += bytes;
    const now = this.#now();
    this.#entries.set(key, { value, bytes, writtenAt: now, usedAt: now, reads: 0 });
    this.#policy.written(key, bytes);
    return true;
  }

  /** False when it was not here. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#policy.removed(key);
    this.#drop(key, entry);
    return true;
  }

  /** What is known of each entry, in no order. */
  times(): Iterable<EntryTimes> {
    return this.#entries.values();
  }

  #drop(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** Room for one more entry of so many bytes. */
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
      // The one that is being written again.
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
