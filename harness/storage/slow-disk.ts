import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { BackEnd, DiskSetup } from './back-ends/back-end.ts';
import {
  defaultImageBytes,
  propertiesAt,
  requireDiskOptions,
  requireReadDelay,
} from './device-properties.ts';
import type { SlowDisk, StorageOptions } from './disk.ts';
import { diskControls, type DiskState } from './disk-controls.ts';
import { describeDisk, giveRoot, mountDevice } from './disk-mount.ts';
import { placeProblems, requireLoopDevices } from './disk-places.ts';
import { writeProbeFile } from './direct-read.ts';
import { createImage, formatImage } from './file-system.ts';
import { Journal } from './journal/journal.ts';
import type { StandingStorage } from './journal/made.ts';
import { medianDrawnMs } from './latency-profile.ts';
import { deviceMountedAt } from './mounts.ts';
import { readAheadOf } from './read-ahead.ts';
import { undo } from './journal/undo.ts';

/**
 * Takes over a disk that an earlier program left standing.
 *
 * @throws CachescopeError CS_STORAGE_GONE when it is no longer mounted, for example after a restart of the machine.
 */
export async function reopenSlowDisk(
  backEnd: BackEnd,
  journal: Journal,
  standing: StandingStorage,
  privilege: Privilege,
): Promise<SlowDisk> {
  const made = journal.entries.map((entry) => entry.made);
  const directory = made.find((each) => each.kind === 'directory')?.path ?? '';
  const disk: DiskSetup = {
    backEnd,
    options: standing,
    directory,
    image: made.find((each) => each.kind === 'image')?.path ?? join(directory, 'disk.img'),
    imageBytes: standing.imageBytes ?? defaultImageBytes,
    mountPoint: made.find((each) => each.kind === 'mount')?.path ?? join(directory, 'mount'),
    journal,
    privilege,
  };
  const device = deviceMountedAt(disk.mountPoint);
  if (device === null) {
    throw new CachescopeError(
      'CS_STORAGE_GONE',
      `the storage in ${directory} is not mounted any more`,
      { hint: 'Remove what is left of it with: npm run storage -- down', exitCode: 3 },
    );
  }
  // While its delay changes it is not mounted, and must not be taken for left behind.
  journal.claim();
  const { delayMs, readsFail = false } = standing;
  return openDisk(disk, { device, delayMs, readsFail });
}

/**
 * Refuses a disk, and read delays on it, that are not possible, before anything is made.
 *
 * @throws CachescopeError CS_STORAGE_OPTIONS with every rule that is broken, exit code 2; CS_PRIVILEGE without the
 * privilege and CS_STORAGE_LOOP without loop devices, exit code 3.
 */
export async function requireAttachable(
  backEnd: BackEnd,
  options: StorageOptions,
  delaysMs: readonly number[] = [],
): Promise<void> {
  requireDiskOptions(options);
  for (const delayMs of delaysMs) requireReadDelay(delayMs);
  const { privilege } = options;
  // Back ends treat all whole delays alike, and one fractional delay represents the others.
  const delayMs = delaysMs.find((candidate) => !Number.isInteger(candidate)) ?? 0;
  const problems = [
    ...(await backEnd.problems(options, delayMs, privilege)),
    ...placeProblems(options),
  ];
  if (problems.length > 0) throw new CachescopeError('CS_STORAGE_OPTIONS', problems.join('; '));
  if (!privilege.dryRun) await privilege.run(['true']);
  await requireLoopDevices(privilege);
}

/** Creates an image and a device over it at delay 0, and mounts it. */
export async function attachSlowDisk(backEnd: BackEnd, options: StorageOptions): Promise<SlowDisk> {
  const { kind: _kind, standing: isStanding, ...ofDisk } = options;
  const { privilege, imagePath, mountPoint, ...diskOptions } = ofDisk;
  await requireAttachable(backEnd, options);
  // The standing device keeps drawing from its profile.
  const { profile, ...kept } = diskOptions;
  const drawnMs = medianDrawnMs(profile);
  const standing = { kind: backEnd.kind, delayMs: 0, drawnMs, ...kept };
  const journal = Journal.begin({
    standing: isStanding ? standing : undefined,
    inMemory: privilege.dryRun,
  });
  const name = `cachescope-disk-${randomBytes(4).toString('hex')}`;
  const directory = join(realpathSync(tmpdir()), name);
  const disk: DiskSetup = {
    backEnd,
    options: diskOptions,
    directory,
    image: imagePath === undefined ? join(directory, 'disk.img') : resolvedImage(imagePath),
    imageBytes: options.imageBytes ?? defaultImageBytes,
    mountPoint: mountPoint === undefined ? join(directory, 'mount') : realpathSync(mountPoint),
    journal,
    privilege,
  };
  try {
    journal.record({ kind: 'directory', path: directory });
    if (!privilege.dryRun) await makeFiles(disk, imagePath !== undefined);
    const device = await mountDevice(disk, propertiesAt(diskOptions, 0));
    await giveRoot(disk);
    if (!privilege.dryRun) await writeProbeFile(disk.mountPoint);
    return await openDisk(disk, { device, delayMs: 0, readsFail: false });
  } catch (error) {
    throw await undoAfter(error, disk);
  }
}

/** The path without links, as the kernel reports the file behind a loop device. The file does not exist yet. */
function resolvedImage(path: string): string {
  const parent = dirname(resolve(path));
  return join(existsSync(parent) ? realpathSync(parent) : parent, basename(path));
}

/**
 * Work directory, mount point and formatted image. An image at a path that the user chose is outside the directory, and
 * has its own entry.
 */
async function makeFiles(disk: DiskSetup, isNamed: boolean): Promise<void> {
  const { journal, image, options } = disk;
  mkdirSync(disk.directory, { mode: 0o755 });
  mkdirSync(disk.mountPoint, { recursive: true, mode: 0o755 });
  const made = { kind: 'image', path: image } as const;
  const entry = isNamed ? journal.record(made) : null;
  const file = await createImage(image, disk.imageBytes);
  if (entry !== null) journal.refine(entry, { ...made, file });
  await formatImage(image, options.fileSystem ?? 'ext4');
}

/** Undoes what was made before an error. Returns that error, with what could not be undone. */
async function undoAfter(error: unknown, { journal, privilege }: DiskSetup): Promise<unknown> {
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

async function openDisk(disk: DiskSetup, state: DiskState): Promise<SlowDisk> {
  const { fileSystem = 'ext4' } = disk.options;
  const readAheadKiB = disk.privilege.dryRun ? null : await readAheadOf(fileSystem, state.device);
  disk.privilege.images.add(disk.image);
  return {
    kind: disk.backEnd.kind,
    directory: disk.mountPoint,
    describe: describeDisk(disk, readAheadKiB),
    fileSystem,
    ...(readAheadKiB !== null && { readAheadKiB }),
    ...diskControls(disk, state),
  };
}
