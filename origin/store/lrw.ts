import type { EvictionPolicy } from './eviction-policy.ts';
import { FifoQueue } from './fifo-queue.ts';

/** Least recently written: reading an entry does not keep it. What Cachex does by itself (hexdocs.pm/cachex, cache limits). */
export function leastRecentlyWritten(): EvictionPolicy {
  const queue = new FifoQueue<true>();
  return {
    written: (key) => queue.push(key, true),
    read() {},
    removed: (key) => void queue.delete(key),
    next: () => queue.shift()?.[0],
  };
}
