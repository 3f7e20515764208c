import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import { $ } from 'zx';
import { diskCacheBackEndOf } from '../../browser/disk-cache-back-end.ts';
import { cacheDataDirectory } from '../../browser/disk-cache.ts';
import { CachescopeError } from '../../error.ts';
import { blockfileOccupancy } from '../../sampling/cache-occupancy.ts';
import type { MicroProfile, MicroLab } from './lab.ts';

/** The places where cached bytes may still be written. */
export interface CachePlace {
  /** Directories whose files must be unchanged; a directory that does not exist counts as unchanged. */
  directories: readonly string[];
  /** Reads the device's counters; null without a slow device. */
  counters: () => Promise<DeviceCounts | null>;
}

/** Timing of the wait. */
export interface WaitOptions {
  /** Time without any change, ms. */
  restMs?: number;
  /** Polling interval, ms. */
  checkEveryMs?: number;
  limitMs?: number;
}

/** The observed state: any write changes it. */
async function stateOf({ directories, counters }: CachePlace): Promise<string> {
  const folders = await Promise.all(directories.map(filesOf));
  const device = await counters();
  return JSON.stringify([folders, device?.writes ?? null]);
}

/** Number, total bytes and latest change of the files in a directory and its subdirectories. */
async function filesOf(directory: string): Promise<[number, number, number]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(
    () => [],
  );
  let [files, bytes, newest] = [0, 0, 0];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A running browser may have removed the file meanwhile.
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    if (!file) continue;
    files++;
    bytes += file.size;
    newest = Math.max(newest, file.mtimeMs);
  }
  return [files, bytes, newest];
}

/**
 * Waits until all cache I/O is finished, as far as that is visible from outside. Number, bytes and times of the caches'
 * files, and the slow device's count of writes, must be unchanged for half a second; then the kernel's buffered data is
 * written (sync). Chromium's simple back end closes an entry's files well within that time after the end of the
 * response. The index is not awaited: the back end writes it 20 s after the last change, or when it closes, and no
 * lookup in the same browser reads it. Returns the time waited, ms.
 *
 * @throws CachescopeError CS_MICRO_RESTLESS when the files do not become unchanged within 60 s.
 */
export async function awaitCacheIo(
  place: CachePlace,
  { restMs = 500, checkEveryMs = 50, limitMs = 60_000 }: WaitOptions = {},
): Promise<number> {
  const startedAt = performance.now();
  let last = await stateOf(place);
  let restingSince = performance.now();
  while (performance.now() - restingSince < restMs) {
    if (performance.now() - startedAt > limitMs) {
      const where = place.directories.join(', ');
      const message = `the files in ${where} did not stay unchanged for ${restMs} ms within ${limitMs / 1000} s`;
      throw new CachescopeError('CS_MICRO_RESTLESS', message, {
        hint: 'Something else writes there, or the storage is too slow: try a shorter delay or fewer entries.',
      });
    }
    await sleep(checkEveryMs);
    const now = await stateOf(place);
    if (now === last) continue;
    last = now;
    restingSince = performance.now();
  }
  const there = place.directories.filter((directory) => directory !== '');
  for (const directory of there) await $({ quiet: true, nothrow: true })`sync -f ${directory}`;
  return performance.now() - startedAt;
}

/**
 * Number of entries in the disk cache, from its files: the simple back end has one file per entry, and blockfile has a
 * count in its index. null: there is no cache, or the back end does not show it while the browser runs (sql locks its
 * databases).
 */
export async function countEntries(cacheDirectory: string): Promise<number | null> {
  const backEnd = await diskCacheBackEndOf(cacheDirectory);
  const directory = cacheDataDirectory(cacheDirectory);
  if (backEnd === 'simple') {
    const names = await readdir(directory);
    return names.filter((name) => /^[0-9a-f]{16}_0$/.test(name)).length;
  }
  return backEnd === 'blockfile' ? blockfileOccupancy(directory).entries : null;
}

/** Waits for all cache I/O and records the time that it took. */
export async function awaitAllIo(
  lab: MicroLab,
  profile: MicroProfile,
  after: string,
): Promise<void> {
  const directories = [
    cacheDataDirectory(profile.cacheDirectory),
    join(profile.profileDirectory, 'Default', 'Service Worker'),
  ];
  const isSlow = profile.disk.kind !== 'none';
  const counters = () => (isSlow ? profile.disk.counters() : Promise.resolve(null));
  const waitedMs = await awaitCacheIo({ directories, counters });
  lab.session.run.quiets.push({
    after,
    waitedMs,
    entries: await countEntries(profile.cacheDirectory),
  });
}
