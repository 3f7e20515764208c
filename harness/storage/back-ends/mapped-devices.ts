import { readdirSync } from 'node:fs';
import { kernelText } from '../../kernel-text.ts';

const blockDevices = '/sys/block';

/**
 * Whether device-mapper has a device of this name (sysfs-block-dm). Asks the kernel: without udev, /dev/mapper is not
 * kept up to date.
 */
export function isMapped(name: string): boolean {
  return readdirSync(blockDevices).some(
    (device) => kernelText(`${blockDevices}/${device}/dm/name`).trimEnd() === name,
  );
}
