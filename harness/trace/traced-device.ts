import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { blockDirectory, sectorBytes } from '../storage/device-counters.ts';
import { deviceMountedAt } from '../storage/mounts.ts';

/** The block device under a directory, as the kernel's events identify it. */
export interface TracedDevice {
  /**
   * The kernel's own number, MAJOR << 20
   * MINOR (MKDEV, include/linux/kdev_t.h); a placeholder in a dry run.
   */
  number: number | string;
  /** Device-mapper forwards bios, and has no requests of its own. */
  isMapped: boolean;
  /** Offset of the file system on the device, bytes: a partition's start. */
  offset: number;
}

/** The device that stores a directory; null for a file system without one. */
export function tracedDevice(directory: string): TracedDevice | null {
  const mounted = deviceMountedAt(directory);
  // On btrfs a file's own device number is synthetic, so that of the mounted device is preferred.
  const number =
    mounted !== null && existsSync(mounted) ? statSync(mounted).rdev : statSync(directory).dev;
  const link = blockDirectory(number);
  if (link === null) return null;
  const own = realpathSync(link);
  const isPartition = existsSync(join(own, 'partition'));
  const whole = isPartition ? dirname(own) : own;
  const [major = 0, minor = 0] = textOf(whole, 'dev').split(':').map(Number);
  return {
    number: major * 2 ** 20 + minor,
    isMapped: existsSync(join(whole, 'dm')),
    offset: isPartition ? Number(textOf(own, 'start')) * sectorBytes : 0,
  };
}

function textOf(directory: string, name: string): string {
  return readFileSync(join(directory, name), 'utf8').trim();
}
