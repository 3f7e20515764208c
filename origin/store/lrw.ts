import type { EvictionPolicy } from './eviction-policy.ts';

/** Least recently written: reading an entry does not keep it. What Cachex does by itself (hexdocs.pm/cachex, cache limits). */
export function leastRecentlyWritten(): EvictionPolicy {
  /** The longest ago written first. */
  const keys = new Set<string>();
  return {
    written(key) {
      keys.delete(key);
      keys.add(key);
    },
    read() {},
    removed: (key) => void keys.delete(key),
    next() {
      const [key] = keys;
      if (key !== undefined) keys.delete(key);
      return key;
    },
  };
}
