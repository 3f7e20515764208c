import type { StoredSizes } from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';

/** Sizes of the cache's entries at one moment, for the load that was the newest then. */
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

/** A load with the stored sizes that were read for it. What the cache has no entry of stays unknown. */
export function withStoredSizes(load: Load, stored: StoredAtLoad | null): Load {
  if (stored?.loadId !== load.id) return load;
  const resources = load.resources.map((resource) => ({
    ...resource,
    storedBytes: stored.bytesByUrl.get(resource.url) ?? resource.storedBytes,
  }));
  return { ...load, resources };
}
