import { readdirSync } from 'node:fs';
import { kernelText } from '../kernel-text.ts';

const blockDevices = '/sys/block';

/** File behind a loop device; empty when the device is not set up, or was removed since it was listed. */
function backingFile(name: string): string {
  return kernelText(`${blockDevices}/${name}/loop/backing_file`).replace(/\n$/, '');
}

/** File behind a loop device (`/dev/loop3`); null for other devices and for one that is not set up. */
export function backingFileOf(device: string): string | null {
  const [, name] = /^\/dev\/(loop\d+)$/.exec(device) ?? [];
  return name === undefined ? null : backingFile(name).replace(/ \(deleted\)$/, '') || null;
}

/** Loop devices (`/dev/loop3`) over a file. Their backing file identifies them as ours. */
export function loopDevicesOver(file: string): string[] {
  return readdirSync(blockDevices)
    .filter((name) => name.startsWith('loop'))
    .filter((name) => isSameFile(backingFile(name), file))
    .map((name) => `/dev/${name}`);
}

/** The kernel marks a backing file that was deleted. */
function isSameFile(shown: string, file: string): boolean {
  return shown === file || shown === `${file} (deleted)`;
}
