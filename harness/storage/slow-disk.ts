import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { fileSystemLimitMs } from './delay.ts';
import { readCounters } from './device-counters.ts';
import { writeProbeFile } from './direct-read.ts';
import { createImage } from './image.ts';
import { Journal } from './journal.ts';
import { deviceMountedAt } from './mounts.ts';
import type {
  BackEnd,
  DeviceParts,
  DeviceProperties,
  SlowDisk,
  StorageOptions,
} from './storage.ts';
import { settleDevices } from './udev.ts';
import { undo } from './undo.ts';

/** The journal's first entry is the work directory with the image; what follows is brought up anew for another delay. */
const firstDeviceEntry = 1;

/**
 * Linux's default read-ahead, 128 KiB, in sectors of 512 bytes. Set, not assumed: the kernel derives it from what lies
 * below, and the same loop device came up with 128 KiB and later with 2560, at which a cached read makes a third fewer
 * device reads.
 */
const readAheadSectors = 256;

/** Block device name as /sys/block has it: `loop3`, `dm-0`. */
function kernelName(device: string): string {
  return basename(realpathSync(device));
}

function mountPointOf({ directory }: DeviceParts): string {
  return join(directory, 'mount');
}

/** Brings up the device with its properties and mounts the file system on it. Returns the device's path. */
async function mountDevice(
  backEnd: BackEnd,
  parts: DeviceParts,
  properties: DeviceProperties,
): Promise<string> {
  const device = await backEnd.bringUp(parts, properties);
  if (!parts.privilege.dryRun) await settleDevices();
  await parts.privilege.run(['blockdev', '--setra', `${readAheadSectors}`, device]);
  const mountPoint = mountPointOf(parts);
  parts.journal.record({ kind: 'mount', path: mountPoint });
  const mount = ['mount', '-t', 'ext4', '-o', 'noatime', device, mountPoint];
  await parts.privilege.run(mount, { limitMs: fileSystemLimitMs });
  return device;
}

async function describeDevice(backEnd: BackEnd, device: string): Promise<string> {
  const queue = join('/sys/block', kernelName(device), 'queue/read_ahead_kb');
  const readAhead = (await readFile(queue, 'utf8').catch(() => 'unknown')).trim();
  return `${backEnd.kind}: ${backEnd.title}; ext4 without journal, 4 KiB blocks, 1 GiB, noatime, read-ahead ${readAhead} KiB`;
}

function partsIn(directory: string, journal: Journal, privilege: Privilege): DeviceParts {
  return { directory, image: join(directory, 'disk.img'), journal, privilege };
}

/**
 * Takes over a disk that an earlier program left standing.
 *
 * @throws CachescopeError CS_STORAGE_GONE when it is not mounted any more, as after a restart of the machine.
 */
export async function reopenSlowDisk(
  backEnd: BackEnd,
  journal: Journal,
  { delayMs, delayWrites }: DeviceProperties,
  privilege: Privilege,
): Promise<SlowDisk> {
  const directory =
    journal.entries.map(({ made }) => made).find((made) => made.kind === 'directory')?.path ?? '';
  const parts = partsIn(directory, journal, privilege);
  const device = deviceMountedAt(mountPointOf(parts));
  if (device === null) {
    throw new CachescopeError(
      'CS_STORAGE_GONE',
      `the storage in ${directory} is not mounted any more`,
      {
        hint: 'Remove what is left of it with: npm run storage -- down',
        exitCode: 3,
      },
    );
  }
  // While its delay changes it is not mounted, and must not be taken for left behind.
  journal.claim();
  return openDisk(
    backEnd,
    parts,
    { delayMs, delayWrites },
    device,
    await describeDevice(backEnd, device),
  );
}

/** Makes an image, brings up a device over it at delay 0, and mounts it. */
export async function attachSlowDisk(backEnd: BackEnd, options: StorageOptions): Promise<SlowDisk> {
  const { privilege, delayWrites } = options;
  const name = `cachescope-disk-${randomBytes(4).toString('hex')}`;
  const directory = join(realpathSync(tmpdir()), name);
  const journal = Journal.begin({
    standing: options.standing ? { kind: backEnd.kind, delayWrites, delayMs: 0 } : undefined,
    inMemory: privilege.dryRun,
  });
  const parts = partsIn(directory, journal, privilege);
  try {
    journal.record({ kind: 'directory', path: directory });
    if (!privilege.dryRun) {
      mkdirSync(mountPointOf(parts), { recursive: true, mode: 0o755 });
      await createImage(parts.image);
    }
    const device = await mountDevice(backEnd, parts, { delayMs: 0, delayWrites });
    if (!privilege.dryRun) await writeProbeFile(mountPointOf(parts));
    const describe = privilege.dryRun ? backEnd.title : await describeDevice(backEnd, device);
    return openDisk(backEnd, parts, { delayMs: 0, delayWrites }, device, describe);
  } catch (error) {
    await undo(journal, privilege);
    journal.end();
    throw error;
  }
}

function openDisk(
  backEnd: BackEnd,
  parts: DeviceParts,
  initial: DeviceProperties,
  initialDevice: string,
  describe: string,
): SlowDisk {
  const { journal, privilege } = parts;
  let device = initialDevice;
  let properties = initial;
  return {
    kind: backEnd.kind,
    directory: mountPointOf(parts),
    describe,
    counters: () => readCounters(join('/sys/block', kernelName(device), 'stat')),
    async setDelay(delayMs) {
      if (delayMs === properties.delayMs) return;
      const changed = { ...properties, delayMs };
      if (backEnd.change) {
        await backEnd.change(parts, changed);
      } else {
        await undo(journal, privilege, firstDeviceEntry);
        device = await mountDevice(backEnd, parts, changed);
      }
      properties = changed;
      journal.noteDelay(delayMs);
    },
    async detach() {
      // At a delay of seconds an unmount would look like a hang. Where this fails, undoing is all the more due.
      if (journal.entries.length > 0)
        await backEnd.change?.(parts, { ...properties, delayMs: 0 }).catch(() => undefined);
      await undo(journal, privilege);
      journal.end();
    },
  };
}
