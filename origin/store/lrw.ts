import type { EvictionPolicy } from './eviction-policy.ts';
import { FifoQueue } from './fifo-queue.ts';

/**
 * Least recently written: reading does not protect an entry. The default of Cachex (hexdocs.pm/cachex, cache limits).
 */
export function leastRecentlyWritten(): EvictionPolicy {
  const queue = new FifoQueue<true>();
  return {
    written: (key) => queue.push(key, true),
    read() {},
    removed: (key) => void queue.delete(key),
    next: () => queue.shift()?.[0],
  };
}
