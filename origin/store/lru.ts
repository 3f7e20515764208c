import type { EvictionPolicy } from './eviction-policy.ts';
import { leastRecentlyWritten } from './lrw.ts';

/** Least recently used: an entry that is read is as safe as one that is written. */
export function leastRecentlyUsed(): EvictionPolicy {
  const byUse = leastRecentlyWritten();
  return { ...byUse, read: (key) => byUse.written(key, 0) };
}
