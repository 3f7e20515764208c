import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import type { Privilege } from '../privilege.ts';
import { blockDirectoryOf } from './device-counters.ts';

const btrfsDirectory = '/sys/fs/btrfs';

/**
 * Where the kernel keeps the read-ahead of a mounted file system, KiB. btrfs goes by one of its own, 4 MiB at first,
 * whatever the device has: it may lie on several (fs/btrfs/disk-io.c).
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
 * Sets the read-ahead of a mounted file system. Set, not assumed: the kernel derives it from what lies below, and the same
 * loop device came up with 128 KiB and later with 2560, at which a cached read makes a third fewer device reads.
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

/** Read-ahead that the kernel goes by, KiB; null when it does not say. */
export async function readAheadOf(fileSystem: FileSystem, device: string): Promise<number | null> {
  const text = await readFile(readAheadFile(fileSystem, device), 'utf8').catch(() => '');
  return /^\d+\n?$/.test(text) ? Number(text) : null;
}
