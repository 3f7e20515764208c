import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import { CachescopeError } from '../error.ts';

/** The kernel counts in sectors of 512 bytes, whatever the device's own are. */
export const sectorBytes = 512;

/**
 * Directory under /sys of the block device with this number (st_dev of a file on it, st_rdev of its node; makedev(3));
 * null for file systems without a device of their own (tmpfs, overlay, network).
 */
export function blockDirectory(deviceNumber: number): string | null {
  const major = (deviceNumber >> 8) & 0xfff;
  const minor = (deviceNumber & 0xff) | ((deviceNumber >> 12) & 0xfff00);
  const path = `/sys/dev/block/${major}:${minor}`;
  return existsSync(path) ? path : null;
}

/**
 * Directory under /sys of a device by its path. By its number: without udev, /dev/mapper holds nodes of its own, not links.
 *
 * @throws CachescopeError CS_STORAGE_GONE.
 */
export function blockDirectoryOf(device: string): string {
  const directory = existsSync(device) ? blockDirectory(statSync(device).rdev) : null;
  if (directory === null) throw new CachescopeError('CS_STORAGE_GONE', `${device} is gone`);
  return directory;
}

/** Reads what a block device has done since it came up (Linux Documentation/block/stat.rst). */
export async function readCounters(statPath: string): Promise<DeviceCounts> {
  return parseCounters(await readFile(statPath, 'utf8'));
}

/** Parses the fields of /sys/block/X/stat. */
export function parseCounters(text: string): DeviceCounts {
  const [reads = 0, , readSectors = 0, , writes = 0, , writtenSectors = 0] = text
    .trim()
    .split(/\s+/)
    .map(Number);
  return {
    reads,
    readBytes: readSectors * sectorBytes,
    writes,
    writtenBytes: writtenSectors * sectorBytes,
  };
}

/** What happened between two readings. */
export function difference(after: DeviceCounts, before: DeviceCounts): DeviceCounts {
  return {
    reads: after.reads - before.reads,
    readBytes: after.readBytes - before.readBytes,
    writes: after.writes - before.writes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
    ...(after.shared ? { shared: true } : {}),
  };
}
