import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const blockDevices = '/sys/block';

/** Whether device-mapper has a device of this name (sysfs-block-dm). Asks the kernel: without udev nobody keeps /dev/mapper. */
export function isMapped(name: string): boolean {
  return readdirSync(blockDevices)
    .map((device) => join(blockDevices, device, 'dm', 'name'))
    .some((path) => existsSync(path) && readFileSync(path, 'utf8').trimEnd() === name);
}
