import type { ReadResult } from '@cachescope/model/load/messages.ts';
import type { PageCacheState, Residency } from '@cachescope/model/run/page-cache-state.ts';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { Privilege } from '../privilege.ts';
import { processorMs } from './network-service.ts';
import { difference } from '../storage/device-counters.ts';
import type { SlowDisk } from '../storage/disk.ts';

/** What three witnesses say of one read: the extension, the origin's request log, the device's counters. */
export interface Witnessed {
  result: ReadResult;
  /** Requests for this path that reached the origin during the read. */
  originRequests: number;
  /** null: the device is not known, so its counters cannot be read. */
  device: DeviceCounts | null;
  /** Time that it took to prepare the page cache, ms. */
  evictionMs: number;
  /** Processor time of the network service during the read, ms; null: unknown. */
  networkServiceMs: number | null;
  /** What the page cache then held of the browser's cache; null: nobody looked. */
  residency: Residency | null;
}

/** Writes back, then drops: what is not yet on the device stays in memory when the page cache is dropped. */
export function evict(disk: SlowDisk, privilege: Privilege): Promise<void> {
  return privilege.dropPageCache(disk.directory);
}

/** A slow disk, and the browser's cache on it. */
type CachePlace = { disk: SlowDisk; launch: { cacheDirectory: string } };

/** Brings the page cache into a state for reads of a place. */
export function preparePageCache(
  { disk, launch }: CachePlace,
  state: PageCacheState,
  privilege: Privilege,
): Promise<Residency | null> {
  const files = state === 'cold' ? null : launch.cacheDirectory;
  return privilege.preparePageCache({ state, path: disk.directory, files });
}

/**
 * Prepares the page cache for one read after another by one launch. Under `cold`, what the first read drops of the whole
 * machine stays out, so that of ext4 the next ones drop only what they have read: to search all of the machine's memory took
 * longer than many reads. Other file systems keep metadata where only a drop of everything finds it.
 */
export function pageCachePreparation(
  place: CachePlace,
  state: PageCacheState,
  privilege: Privilege,
): () => Promise<Residency | null> {
  const { disk, launch } = place;
  if (state !== 'cold' || !disk.device || disk.fileSystem !== 'ext4')
    return () => preparePageCache(place, state, privilege);
  const request = { state, path: disk.directory, files: launch.cacheDirectory };
  let device: string | undefined;
  return async () => {
    const residency = await privilege.preparePageCache({ ...request, device });
    device = disk.device?.();
    return residency;
  };
}

/**
 * Prepares the page cache, then has `read` take one read of `path`, with the witnesses' marks set before and read after.
 */
export async function coldRead(
  witnesses: {
    origin: Origin;
    disk: SlowDisk;
    prepare: () => Promise<Residency | null>;
    /** Process of the network service; null: unknown. */
    networkService?: number | null;
  },
  path: string,
  read: () => Promise<ReadResult>,
): Promise<Witnessed> {
  const { origin, disk, prepare, networkService = null } = witnesses;
  const usedMs = () => (networkService === null ? null : processorMs(networkService));
  const startedAt = performance.now();
  const residency = await prepare();
  const evictionMs = performance.now() - startedAt;
  const mark = origin.log.mark();
  const before = await disk.counters();
  const beforeMs = usedMs();
  const result = await read();
  const afterMs = usedMs();
  const after = await disk.counters();
  return {
    result,
    originRequests: origin.log.since(mark).filter((entry) => entry.path === path).length,
    device: before && after ? difference(after, before) : null,
    evictionMs,
    networkServiceMs: beforeMs === null || afterMs === null ? null : afterMs - beforeMs,
    residency,
  };
}
