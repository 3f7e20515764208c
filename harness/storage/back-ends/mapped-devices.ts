import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const blockDevices = '/sys/block';

/**
 * Whether device-mapper has a device of this name (sysfs-block-dm). Asks the kernel: without udev, /dev/mapper is not
 * kept up to date.
 */
export function isMapped(name: string): boolean {
  return readdirSync(blockDevices)
    .map((device) => join(blockDevices, device, 'dm', 'name'))
    .some((path) => readName(path) === name);
}

/** null for devices of other kinds, and for one that was removed since it was listed. */
function readName(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return null;
  }
}
