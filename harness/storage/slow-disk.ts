import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { BackEnd, DeviceParts, DeviceProperties } from './back-end.ts';
import { fileSystemLimitMs, maxDelayMs } from './delay.ts';
import { blockDirectory, readCounters } from './device-counters.ts';
import type { SlowDisk, StorageOptions } from './disk.ts';
import { writeProbeFile } from './direct-read.ts';
import { createImage } from './image.ts';
import { Journal } from './journal.ts';
import { deviceMountedAt, isMounted } from './mounts.ts';
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

/** Directory under /sys of a device. By its number: without udev, /dev/mapper holds nodes of its own, not links. */
function blockDirectoryOf(device: string): string {
  const directory = blockDirectory(statSync(device).rdev);
  if (directory === null) throw new CachescopeError('CS_STORAGE_GONE', `${device} is gone`);
  return directory;
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
  const queue = join(blockDirectoryOf(device), 'queue/read_ahead_kb');
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
    throw await undoAfter(error, parts);
  }
}

/** Undoes what was made before an error. Returns that error, with what could not be undone. */
async function undoAfter(error: unknown, { journal, privilege }: DeviceParts): Promise<unknown> {
  try {
    await undo(journal, privilege);
    journal.end();
    return error;
  } catch (left) {
    const hint = left instanceof CachescopeError && left.hint ? { hint: left.hint } : {};
    const message = `${messageOf(error)}; then ${messageOf(left)}`;
    return new CachescopeError('CS_STORAGE_LEFT', message, { ...hint, cause: error });
  }
}

/** Takes the device down for another delay. As long as a file on it is open, the disk stays as it is and can be used. */
async function takeDownDevice(parts: DeviceParts): Promise<void> {
  try {
    await undo(parts.journal, parts.privilege, firstDeviceEntry);
  } catch (error) {
    if (!isMounted(mountPointOf(parts))) throw error;
    const reason = error instanceof Error ? error.cause : error;
    throw new CachescopeError(
      'CS_STORAGE_BUSY',
      `the delay could not be changed and stays as it was: ${messageOf(reason)}`,
      { hint: 'Close the files on it, then set the delay again.', cause: error },
    );
  }
}

function requireDelay(delayMs: number): void {
  if (Number.isInteger(delayMs) && delayMs >= 0 && delayMs <= maxDelayMs) return;
  throw new CachescopeError(
    'CS_STORAGE_DELAY',
    `the delay is ${delayMs}; it must be a whole number of ms from 0 to ${maxDelayMs}`,
  );
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
    counters: () => readCounters(join(blockDirectoryOf(device), 'stat')),
    async setDelay(delayMs) {
      requireDelay(delayMs);
      if (journal.entries.length === 0)
        throw new CachescopeError('CS_STORAGE_GONE', 'the disk is detached');
      if (delayMs === properties.delayMs) return;
      const changed = { ...properties, delayMs };
      if (!backEnd.change) await takeDownDevice(parts);
      // Until the change is done the delay is unknown: NaN equals none, so the next setting is always carried out.
      properties = { ...properties, delayMs: Number.NaN };
      if (backEnd.change) await backEnd.change(parts, changed);
      else device = await mountDevice(backEnd, parts, changed);
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
