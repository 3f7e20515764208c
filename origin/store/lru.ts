import type { EvictionPolicy } from './eviction-policy.ts';
import { leastRecentlyWritten } from './lrw.ts';

/** Least recently used: a read protects an entry as much as a write. */
export function leastRecentlyUsed(): EvictionPolicy {
  const byUse = leastRecentlyWritten();
  return { ...byUse, read: (key) => byUse.written(key, 0) };
}
