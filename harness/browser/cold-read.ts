import type { ReadResult } from '@cachescope/model/load/messages.ts';
import type { PageCacheState, Residency } from '@cachescope/model/run/page-cache-state.ts';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { Privilege } from '../privilege.ts';
import { processorMsBetween, threadTimes } from './network-service.ts';
import { difference } from '../storage/device-counters.ts';
import type { SlowDisk } from '../storage/disk.ts';

/** The evidence of three witnesses for one read: the extension, the origin's request log, the device's counters. */
export interface Witnessed {
  result: ReadResult;
  /** Requests for this path that reached the origin during the read. */
  originRequests: number;
  /** null: the device is unknown, so its counters cannot be read. */
  device: DeviceCounts | null;
  /** Time taken to prepare the page cache, ms. */
  evictionMs: number;
  /** Processor time of the network service during the read, ms; null: unknown. */
  networkServiceMs: number | null;
  /** Page-cache residency of the browser's cache after preparation; null: not measured. */
  residency: Residency | null;
}

/**
 * Writes dirty pages back, then drops: pages that are not yet on the device stay in memory when the page cache is
 * dropped.
 */
export function evict(disk: SlowDisk, privilege: Privilege): Promise<void> {
  return privilege.dropPageCache(disk.directory);
}

/** A slow disk, and the browser's cache on it. */
type CachePlace = { disk: SlowDisk; launch: { cacheDirectory: string } };

/** Brings the page cache into a state for the reads of a place. */
export function preparePageCache(
  { disk, launch }: CachePlace,
  state: PageCacheState,
  privilege: Privilege,
): Promise<Residency | null> {
  const files = state === 'cold' ? null : launch.cacheDirectory;
  return privilege.preparePageCache({ state, path: disk.directory, files });
}

/**
 * Prepares the page cache for consecutive reads by one launch. Under `cold`, the first call drops the page cache of the
 * whole machine. On ext4 the later calls drop only the pages of the cache's files and of the device, dentries and
 * inodes, because the reads have loaded nothing else: a search of all of the machine's memory took longer than many
 * reads. Other file systems keep metadata that only a drop of everything evicts.
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
 * Prepares the page cache, then has `read` take one read of `path`, with the witnesses' state recorded before and
 * after.
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
  const used = () => (networkService === null ? null : threadTimes(networkService));
  const startedAt = performance.now();
  const residency = await prepare();
  const evictionMs = performance.now() - startedAt;
  const mark = origin.log.mark();
  const before = await disk.counters();
  const usedBefore = used();
  const result = await read();
  const usedAfter = used();
  const after = await disk.counters();
  return {
    result,
    originRequests: origin.log.since(mark).filter((entry) => entry.path === path).length,
    device: before && after ? difference(after, before) : null,
    evictionMs,
    networkServiceMs: processorMsBetween(usedBefore, usedAfter),
    residency,
  };
}
