import type { EvictedEntry, EvictionPass } from './eviction-pass.ts';
import type { EvictionOrder } from './policy-shown.ts';

/**
 * Of all pairs of an evicted and a kept entry, the share in which the evicted one has the smaller value (an earlier time,
 * an earlier place); ties count half. This is the area under the curve of Mann and Whitney's U. 1: the evicted entries
 * are exactly those with the smallest values; 0.5: the value is unrelated. null when either list is empty.
 */
export function earlierShare(went: readonly number[], stayed: readonly number[]): number | null {
  if (went.length === 0 || stayed.length === 0) return null;
  const left = Float64Array.from(went).toSorted();
  const right = Float64Array.from(stayed).toSorted();
  let [below, upTo, doubled] = [0, 0, 0];
  for (const value of right) {
    while (below < left.length && (left[below] ?? 0) < value) below++;
    upTo = Math.max(upTo, below);
    while (upTo < left.length && (left[upTo] ?? 0) <= value) upTo++;
    doubled += below + upTo;
  }
  return doubled / (2 * left.length * right.length);
}

/** What is known of a stored entry. Times in ms, on one clock. */
export interface StoredEntry {
  bytes: number;
  writtenAt: number;
  /** When it was last written or read. */
  usedAt: number;
}

/**
 * How well each order separates evicted from kept entries. `now`: the time of the eviction. `overheadBytes`: what the
 * cache adds to an entry's size when it ranks entries.
 */
export function ordersShown(
  went: readonly StoredEntry[],
  stayed: readonly StoredEntry[],
  now: number,
  overheadBytes = 0,
): Pick<EvictionPass, EvictionOrder> {
  const order = (value: (entry: StoredEntry) => number) =>
    earlierShare(went.map(value), stayed.map(value));
  return {
    byWrite: order(({ writtenAt }) => writtenAt),
    byUse: order(({ usedAt }) => usedAt),
    bySize: order(({ bytes }) => -bytes),
    byUseAndSize: order(({ usedAt, bytes }) => (usedAt - now) * (bytes + overheadBytes)),
  };
}

const mostExamples = 8;

/** Some of the evicted entries, evenly spread over their order. */
export function examplesOf(
  evicted: readonly (StoredEntry & { key: string; reads: number })[],
  now: number,
): EvictedEntry[] {
  return drawn(evicted, evicted.length, mostExamples).map(
    ({ key, bytes, writtenAt, usedAt, reads }) => ({
      key,
      bytes,
      ageMs: now - writtenAt,
      idleMs: now - usedAt,
      uses: reads,
    }),
  );
}

/** At most `most` of these `size` items, evenly spaced. */
export function drawn<Item>(items: Iterable<Item>, size: number, most: number): Item[] {
  const step = Math.max(1, size / most);
  const some: Item[] = [];
  let index = 0;
  for (const item of items)
    if (index++ === Math.floor(some.length * step) && some.length < most) some.push(item);
  return some;
}
