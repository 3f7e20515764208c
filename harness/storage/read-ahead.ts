import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import type { Privilege } from '../privilege.ts';
import { blockDirectoryOf } from './device-counters.ts';

const btrfsDirectory = '/sys/fs/btrfs';

/**
 * Where the kernel keeps the read-ahead of a mounted file system, KiB. btrfs has its own, initially 4 MiB, independent
 * of the device, because it may span several (fs/btrfs/disk-io.c).
 */
function readAheadFile(fileSystem: FileSystem, device: string): string {
  const block = blockDirectoryOf(device);
  if (fileSystem !== 'btrfs') return join(block, 'queue/read_ahead_kb');
  const name = basename(realpathSync(block));
  const own = readdirSync(btrfsDirectory).find((uuid) =>
    existsSync(join(btrfsDirectory, uuid, 'devices', name)),
  );
  return join(btrfsDirectory, own ?? 'unknown', 'bdi/read_ahead_kb');
}

/**
 * Sets the read-ahead of a mounted file system. It is set, not assumed: the kernel derives the default from the devices
 * below, and the same loop device came up with 128 KiB and later with 2560 KiB, at which a cached read makes a third
 * fewer device reads.
 */
export async function setReadAhead(
  fileSystem: FileSystem,
  device: string,
  readAheadKiB: number,
  privilege: Privilege,
): Promise<void> {
  // In sectors of 512 bytes.
  await privilege.run(['blockdev', '--setra', `${readAheadKiB * 2}`, device]);
  if (fileSystem !== 'btrfs') return;
  const file = privilege.dryRun
    ? join(btrfsDirectory, 'UUID/bdi/read_ahead_kb')
    : readAheadFile(fileSystem, device);
  await privilege.run(['tee', file], { input: `${readAheadKiB}\n` });
}

/** Read-ahead that the kernel uses, KiB; null when it does not report it. */
export async function readAheadOf(fileSystem: FileSystem, device: string): Promise<number | null> {
  const text = await readFile(readAheadFile(fileSystem, device), 'utf8').catch(() => '');
  return /^\d+\n?$/.test(text) ? Number(text) : null;
}
