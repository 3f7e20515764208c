import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { imageBytes } from './image.ts';
import { loopDevicesOver } from './loop-devices.ts';
import type { BackEnd, DeviceParts, DeviceProperties } from './back-end.ts';

const sectorBytes = 512;

/**
 * Whether the kernel has device-mapper's delay target, after asking for its module. A dry run asks for nothing: there
 * counts what is installed for this kernel.
 */
export async function kernelHasDelayTarget(privilege: Privilege): Promise<boolean> {
  if (isLoaded() || isListed('modules.builtin')) return true;
  if (isListed('modules.dep')) {
    await privilege.run(['modprobe', '-q', 'dm-delay']).catch(() => undefined);
    return isLoaded() || privilege.dryRun;
  }
  // A kernel without files about its modules: only dmsetup can tell.
  return !privilege.dryRun && existsSync('/dev/mapper/control') && hasTarget(privilege);
}

function isLoaded(): boolean {
  return existsSync('/sys/module/dm_delay');
}

/** Whether a list of this kernel's modules names the target (modules.builtin, modules.dep; kmod). */
function isListed(list: string): boolean {
  try {
    const text = readFileSync(join('/lib/modules', release(), list), 'utf8');
    return /(^|\/)dm-delay\.ko/m.test(text);
  } catch {
    return false;
  }
}

async function hasTarget(privilege: Privilege): Promise<boolean> {
  const targets = await privilege.run(['dmsetup', 'targets']).catch(() => '');
  return /^delay\s/m.test(targets);
}

/**
 * The delay target's table (Linux Documentation/admin-guide/device-mapper/delay.rst): reads, then writes and flushes.
 */
export function delayTable(device: string, { delayMs, delayWrites }: DeviceProperties): string {
  const writeDelayMs = delayWrites ? delayMs : 0;
  return `0 ${imageBytes / sectorBytes} delay ${device} 0 ${delayMs} ${device} 0 ${writeDelayMs}`;
}

function nameOf({ directory }: DeviceParts): string {
  return basename(directory);
}

/** The kernel's delay target over a loop device. */
export const dmDelay: BackEnd = {
  kind: 'dm-delay',
  changesLive: true,
  packages: [{ name: 'dmsetup', program: 'dmsetup' }],
  title: "device-mapper's delay target over a loop device",
  async bringUp(parts, properties) {
    const { image, journal, privilege } = parts;
    journal.record({ kind: 'loop', backingFile: image });
    const loop = await privilege.run(['losetup', '--find', '--show', image]);
    const name = nameOf(parts);
    journal.record({ kind: 'device-mapper', name });
    await privilege.run([
      'dmsetup',
      'create',
      name,
      '--table',
      delayTable(loop.trim() || '/dev/loopN', properties),
    ]);
    // Without udev, as in containers, nobody else makes the device's node.
    if (!privilege.dryRun && !existsSync(`/dev/mapper/${name}`))
      await privilege.run(['dmsetup', 'mknodes', name]);
    return `/dev/mapper/${name}`;
  },
  async change(parts, properties) {
    const { privilege } = parts;
    const name = nameOf(parts);
    const [loop = '/dev/loopN'] = loopDevicesOver(parts.image);
    const table = delayTable(loop, properties);
    await privilege.run(['dmsetup', 'suspend', '--nolockfs', '--noflush', name]);
    try {
      await privilege.run(['dmsetup', 'load', name, '--table', table]);
    } catch (error) {
      throw new CachescopeError(
        'CS_STORAGE_DM',
        `dm-delay took no table for ${properties.delayMs} ms: ${messageOf(error)}`,
        { cause: error },
      );
    } finally {
      // A device left suspended lets everything that touches it hang.
      await privilege.run(['dmsetup', 'resume', name]);
    }
  },
};
