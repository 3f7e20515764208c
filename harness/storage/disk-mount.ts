import { percent } from '@cachescope/model/quantity.ts';
import { existsSync } from 'node:fs';
import { $ } from 'zx';
import type { DiskSetup } from './back-ends/back-end.ts';
import { fileSystemLimitMs } from './delay.ts';
import { defaultReadAheadKiB, type DeviceProperties } from './device-properties.ts';
import { blockBytes, fileSystemRecipes } from './file-system.ts';
import { setReadAhead } from './read-ahead.ts';

/** Creates the device with its properties and mounts the file system on it. Returns the device's path. */
export async function mountDevice(disk: DiskSetup, properties: DeviceProperties): Promise<string> {
  const { backEnd, options, privilege, journal, mountPoint } = disk;
  const device = await backEnd.bringUp(disk, properties);
  if (!privilege.dryRun) await settleDevices();
  journal.record({ kind: 'mount', path: mountPoint });
  const fileSystem = options.fileSystem ?? 'ext4';
  const { mountOptions } = fileSystemRecipes[fileSystem];
  const mount = ['mount', '-t', fileSystem, '-o', mountOptions, device, mountPoint];
  await privilege.run(mount, { limitMs: fileSystemLimitMs });
  // Which read-ahead applies is known only once the file system is mounted.
  const readAheadKiB = options.readAheadKiB ?? defaultReadAheadKiB;
  await setReadAhead(fileSystem, device, readAheadKiB, privilege);
  return device;
}

/** Changes the owner of the disk's root directory to the calling user, where mkfs could not. */
export async function giveRoot({ options, privilege, mountPoint }: DiskSetup): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid === 0 || fileSystemRecipes[options.fileSystem ?? 'ext4'].givesRoot) return;
  await privilege.run(['chown', `${uid}:${gid}`, mountPoint]);
}

/** For users: back end, file system, sizes, read-ahead, and every option that is not the default. */
export function describeDisk(
  { backEnd, options, imageBytes }: DiskSetup,
  readAheadKiB: number | null,
): string {
  const { describe } = fileSystemRecipes[options.fileSystem ?? 'ext4'];
  const { bandwidthBytesPerSecond, badReadRate, writeDelayMs, flushDelayMs, profile } = options;
  const unusual = [
    profile && `read latencies of ${profile.name} (${profile.source})`,
    options.delayWrites && backEnd.delayedWritesText,
    bandwidthBytesPerSecond && `at most ${bandwidthBytesPerSecond / 1e6} MB/s each way`,
    writeDelayMs !== undefined && `writes delayed by ${writeDelayMs} ms`,
    flushDelayMs !== undefined && `flushes delayed by ${flushDelayMs} ms`,
    badReadRate && `${percent(badReadRate)} of reads can be made to fail`,
  ].filter(Boolean);
  const size = `${Math.round((imageBytes / 1024 ** 3) * 100) / 100} GiB`;
  const usual = `${describe}, ${blockBytes / 1024} KiB blocks, ${size}, noatime`;
  const readAhead = `read-ahead ${readAheadKiB ?? 'unknown'} KiB`;
  return `${backEnd.kind}: ${backEnd.title}; ${[usual, ...unusual, readAhead].join(', ')}`;
}

/** udev probes a new disk with a few dozen reads, each delayed. */
const limitSeconds = 30;

/** Waits until udev has probed new devices: its reads would be counted among ours, and they keep a device busy. */
async function settleDevices(): Promise<void> {
  // Containers have no udev; then nothing probes.
  if (!existsSync('/run/udev/control')) return;
  await $({ quiet: true, nothrow: true })`udevadm settle --timeout=${limitSeconds}`;
}
