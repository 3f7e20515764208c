import type { EvictedEntry } from '@cachescope/model/reclaim/eviction-pass.ts';
import { earlierShare } from '@cachescope/model/reclaim/order.ts';
import type { EntryTimes, Reclaim, StoreLimit } from '@cachescope/origin/store/limited-store.ts';
import type { OriginEvictionPass, StoreSample } from './origin-task.ts';

/**
 * Number of eviction passes between two samples that are reported one by one; the others are added to the last of them.
 */
const mostTold = 3;
/**
 * Number of entries of each side whose order is compared, drawn evenly: more would take too much of the origin's time.
 */
const surveyed = 400;
const mostExamples = 8;

/** Keeps the eviction passes of a store until the next sample. */
export class ReclaimLog {
  #reclaims: OriginEvictionPass[] = [];
  #mostEntries = 0;
  #mostBytes = 0;

  /** `stayed`: the entries that the store holds now. */
  add(reclaim: Reclaim, stayed: Iterable<EntryTimes>): void {
    const { before } = reclaim;
    this.#mostEntries = Math.max(this.#mostEntries, before.entries);
    this.#mostBytes = Math.max(this.#mostBytes, before.bytes);
    const last = this.#reclaims.at(-1);
    if (last && this.#reclaims.length >= mostTold) {
      const { durationMs } = reclaim;
      last.longestMs = Math.max(last.longestMs ?? last.durationMs ?? 0, durationMs);
      last.times = (last.times ?? 1) + 1;
      last.evicted += reclaim.evicted.length;
      last.evictedBytes = (last.evictedBytes ?? 0) + bytesOf(reclaim);
      last.durationMs = (last.durationMs ?? 0) + durationMs;
      last.after = reclaim.after;
    } else this.#reclaims.push(reportedPass(reclaim, stayed));
  }

  /** Returns everything since the previous sample, and forgets it. */
  take(
    { entries, bytes }: { entries: number; bytes: number },
    limit: Required<StoreLimit>,
  ): StoreSample {
    const mostEntries = Math.max(this.#mostEntries, entries);
    const mostBytes = Math.max(this.#mostBytes, bytes);
    const isWithin = mostEntries <= limit.entries && mostBytes <= limit.bytes;
    const reclaims = this.#reclaims;
    this.#reclaims = [];
    this.#mostEntries = 0;
    this.#mostBytes = 0;
    return { entries, bytes, mostEntries, mostBytes, overLimitMs: isWithin ? 0 : null, reclaims };
  }
}

function bytesOf({ evicted }: Reclaim): number {
  return evicted.reduce((sum, { bytes }) => sum + bytes, 0);
}

function reportedPass(reclaim: Reclaim, stayed: Iterable<EntryTimes>): OriginEvictionPass {
  const { cause, startedAt, durationMs, before, after, evicted } = reclaim;
  const went = drawn(evicted, evicted.length);
  const left = drawn(stayed, after.entries);
  const order = (value: (entry: EntryTimes) => number) =>
    earlierShare(went.map(value), left.map(value));
  return {
    epochMs: performance.timeOrigin + startedAt,
    durationMs,
    how: 'reported',
    cause,
    before,
    after,
    evicted: evicted.length,
    evictedBytes: bytesOf(reclaim),
    byWrite: order(({ writtenAt }) => writtenAt),
    byUse: order(({ usedAt }) => usedAt),
    bySize: order(({ bytes }) => -bytes),
    byUseAndSize: order(({ usedAt, bytes }) => (usedAt - startedAt) * bytes),
    examples: examplesOf(reclaim),
  };
}

/** At most `most` of the items, evenly spaced. */
function drawn<Item>(items: Iterable<Item>, size: number, most = surveyed): Item[] {
  const step = Math.max(1, size / most);
  const some: Item[] = [];
  let index = 0;
  for (const item of items) {
    if (index++ >= some.length * step) some.push(item);
  }
  return some;
}

function examplesOf({ evicted, startedAt }: Reclaim): EvictedEntry[] {
  return drawn(evicted, evicted.length, mostExamples).map((entry) => ({
    key: entry.key,
    bytes: entry.bytes,
    ageMs: startedAt - entry.writtenAt,
    idleMs: startedAt - entry.usedAt,
    uses: entry.reads,
  }));
}
