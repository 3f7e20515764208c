import type { StoredSizes } from '@cachescope/model/explore/lab.ts';
import { type Load, responseUrl } from '@cachescope/model/load/load.ts';

/** Sizes of the cache's entries at one time, for the newest load of that time. */
export interface StoredAtLoad {
  loadId: string;
  bytesByUrl: ReadonlyMap<string, number>;
}

export function storedAtLoad(loadId: string, { entries }: StoredSizes): StoredAtLoad {
  return {
    loadId,
    bytesByUrl: new Map(entries.map(({ url, storedBytes }) => [url, storedBytes])),
  };
}

/** A load with the stored sizes read for it. Without a cache entry the size stays unchanged. */
export function withStoredSizes(load: Load, stored: StoredAtLoad | null): Load {
  if (stored?.loadId !== load.id) return load;
  const resources = load.resources.map((resource) => ({
    ...resource,
    storedBytes: stored.bytesByUrl.get(responseUrl(resource)) ?? resource.storedBytes,
  }));
  return { ...load, resources };
}
