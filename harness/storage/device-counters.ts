import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import { CachescopeError } from '../error.ts';

/** The kernel counts in sectors of 512 bytes, independent of the device's sector size. */
export const sectorBytes = 512;

/**
 * Directory under /sys of the block device with this number (st_dev of a file on it, st_rdev of its node; makedev(3));
 * null for file systems without their own device (tmpfs, overlay, network).
 */
export function blockDirectory(deviceNumber: number): string | null {
  const major = (deviceNumber >> 8) & 0xfff;
  const minor = (deviceNumber & 0xff) | ((deviceNumber >> 12) & 0xfff00);
  const path = `/sys/dev/block/${major}:${minor}`;
  return existsSync(path) ? path : null;
}

/**
 * Directory under /sys of a device by its path. Resolved by its number: without udev, /dev/mapper has device nodes, not
 * links.
 *
 * @throws CachescopeError CS_STORAGE_GONE.
 */
export function blockDirectoryOf(device: string): string {
  const directory = existsSync(device) ? blockDirectory(statSync(device).rdev) : null;
  if (directory === null) throw new CachescopeError('CS_STORAGE_GONE', `${device} is gone`);
  return directory;
}

/** One reading of a block device's counters since it was created (Linux Documentation/block/stat.rst). */
export interface CounterReading extends DeviceCounts {
  /** Requests that had been issued and not completed: the counts above do not include them yet. */
  inFlight: number;
}

/** Reads a block device's counters. */
export async function readCounters(statPath: string): Promise<CounterReading> {
  return parseCounters(await readFile(statPath, 'utf8'));
}

/** Parses the fields of /sys/block/X/stat. */
export function parseCounters(text: string): CounterReading {
  const fields = text.trim().split(/\s+/).map(Number);
  const [reads = 0, , readSectors = 0, , writes = 0, , writtenSectors = 0, , inFlight = 0] = fields;
  return {
    reads,
    readBytes: readSectors * sectorBytes,
    writes,
    writtenBytes: writtenSectors * sectorBytes,
    inFlight,
  };
}

/** The difference between two readings. */
export function difference(after: DeviceCounts, before: DeviceCounts): DeviceCounts {
  return {
    reads: after.reads - before.reads,
    readBytes: after.readBytes - before.readBytes,
    writes: after.writes - before.writes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
    ...(after.shared ? { shared: true } : {}),
  };
}
