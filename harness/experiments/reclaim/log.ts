import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import { drawn, examplesOf, ordersShown } from '@cachescope/model/reclaim/order.ts';
import type { SystemWindow } from '@cachescope/model/reclaim/window.ts';
import type { EntryTimes, LimitedStore, Reclaim } from '@cachescope/origin/store/limited-store.ts';

/**
 * Number of eviction passes between two samples that are reported one by one; the others are added to the last of them.
 */
const mostTold = 3;
/**
 * Number of entries of each side whose order is compared, drawn evenly: more would take too much of the origin's time.
 */
const surveyed = 400;

/** An eviction pass with the time of the origin's clock. */
interface OriginEvictionPass extends Omit<EvictionPass, 'kind' | 'sequence' | 'atMs'> {
  /** ms since 1970. */
  epochMs: number;
}

type Store = Pick<LimitedStore<unknown>, 'entries' | 'bytes' | 'limit'>;

/** The store since the previous sample. */
export interface StoreSample extends Pick<
  SystemWindow,
  'entries' | 'bytes' | 'mostEntries' | 'mostBytes' | 'overLimitMs'
> {
  reclaims: OriginEvictionPass[];
}

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
  take({ entries, bytes, limit }: Store): StoreSample {
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
  const went = drawn(evicted, evicted.length, surveyed);
  return {
    epochMs: performance.timeOrigin + startedAt,
    durationMs,
    how: 'reported',
    cause,
    before,
    after,
    evicted: evicted.length,
    evictedBytes: bytesOf(reclaim),
    ...ordersShown(went, drawn(stayed, after.entries, surveyed), startedAt),
    examples: examplesOf(evicted, startedAt),
  };
}
