import type { DiskCacheBackEnd } from '@cachescope/model/run/variant.ts';
import type { EvictionPass } from '@cachescope/model/reclaim/eviction-pass.ts';
import {
  blockfileOccupancy,
  type CacheOccupancy,
  sqlOccupancy,
  unknownOccupancy,
} from '../../sampling/cache-occupancy.ts';
import { Pace } from '../../sampling/pace.ts';
import {
  httpCacheKey,
  simpleCacheHash,
  SimpleCacheDirectory,
} from '../../sampling/simple-cache-directory.ts';
import { EvictionWatch } from './evictions.ts';

/**
 * Share of one core that reading the directory of a simple cache may take. With 1,000 entries it is read in every
 * window.
 */
const folderShare = 0.006;
/** Site of the pages that the server serves: it separates their cache entries from those of other sites. */
const pageSite = 'http://127.0.0.1';

/** Samples the cache of a running browser from outside, as far as its back end allows. */
export interface CacheObserver {
  /** `reclaim`: the entries found evicted since the previous sample; its `atMs` is ms since 1970. */
  sample(): { occupancy: CacheOccupancy; reclaim: Omit<EvictionPass, 'sequence'> | null };
  /** Records that a page received a response for a URL, at `at` ms since 1970. */
  used(url: string, fromCache: boolean, at: number): void;
  /** Limits of the samples that readers of the result need to know, in sentences. */
  warnings(): string[];
}

/** The back ends that show no single entries: how their occupancy is read, and what stays unknown. */
const opaque = {
  blockfile: [
    blockfileOccupancy,
    'The back end blockfile has no file for each entry, so the evicted entries are unknown.',
  ],
  sql: [
    sqlOccupancy,
    'The back end sql locks its databases while Chromium runs, so entries and evictions are unknown; bytes are those of its files, which do not shrink.',
  ],
  none: [
    () => unknownOccupancy,
    'A cache in memory shows neither entries nor bytes: only hits and the memory of the network service are known.',
    'Chromium does not apply --disk-cache-size to a cache in memory: the hit rate of Chromium 156 matched a limit of 50 MiB for every requested limit.',
  ],
} as const;

/** Opens the observer of a cache; `backEnd` null: the cache is in memory and cannot be observed. */
export function observeCache(backEnd: DiskCacheBackEnd | null, cacheData: string): CacheObserver {
  if (backEnd === 'simple') return observeSimple(cacheData);
  const [occupancyOf, ...limitations] = opaque[backEnd ?? 'none'];
  return {
    sample: () => ({ occupancy: occupancyOf(cacheData), reclaim: null }),
    used: () => undefined,
    warnings: () => limitations,
  };
}

function observeSimple(cacheData: string): CacheObserver {
  const directory = new SimpleCacheDirectory(cacheData);
  const evictions = new EvictionWatch();
  const pace = new Pace(folderShare);
  let [seen, named] = [0, 0];
  return {
    sample() {
      const sample = pace.take(() => directory.sample());
      if (sample === null) return { occupancy: unknownOccupancy, reclaim: null };
      seen = Math.max(seen, sample.entries.size);
      named = Math.max(named, evictions.named(sample));
      const occupancy = { entries: sample.entries.size, bytes: sample.bytes };
      return { occupancy, reclaim: evictions.found(sample) };
    },
    used(url, fromCache, at) {
      // The item's key is the part after the last slash of the path.
      const name = new URL(url).pathname.split('/').at(-1) ?? url;
      evictions.used(simpleCacheHash(httpCacheKey(pageSite, url)), name, fromCache, at);
    },
    warnings: () =>
      seen > 0 && named === 0
        ? [
            'No cache file has a name that matches a URL: this Chromium names entries in another way, and the last use of evicted entries is unknown.',
          ]
        : [],
  };
}
