import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivilege, type Privilege } from '../privilege.ts';
import type { DiskOptions } from './device-properties.ts';
import { dmDelay, exchangeTable } from './back-ends/dm-delay.ts';
import { nbdDelay } from './back-ends/nbd-delay.ts';
import { nbdLive } from './back-ends/nbd-live.ts';
import { attachStorage } from './storage.ts';

/** Every privileged command of a disk's life cycle, with its directory written as DISK. */
async function dryRun(
  kind: 'dm-delay' | 'nbd-live' | 'nbd-delay',
  options: Partial<DiskOptions> = {},
): Promise<string[]> {
  const shown: string[] = [];
  const say = (line: string) => shown.push(line.replace('sudo -n ', ''));
  const privilege = createPrivilege({ dryRun: true, say });
  const disk = await attachStorage({ kind, delayWrites: false, privilege, ...options });
  await disk.setDelay(5);
  await disk.setDelay(5);
  await disk.detach();
  await disk.detach();
  return shown.map((line) =>
    line
      .replaceAll(/cachescope-disk-[0-9a-f]{8}/g, 'NAME')
      .replaceAll(`${realpathSync(tmpdir())}/NAME`, 'DISK'),
  );
}

const sectors = 1024 ** 3 / 512;

test('dm-delay changes its delay under the mounted file system, and unmounts without a delay', async () => {
  const table = (read: number) =>
    `'0 ${sectors} delay /dev/loopN 0 ${read} /dev/loopN 0 0 /dev/loopN 0 0'`;
  const change = (delayMs: number) => [
    `dmsetup load NAME --table ${table(delayMs)}`,
    'dmsetup resume --noflush --nolockfs NAME',
  ];
  expect(await dryRun('dm-delay')).toEqual([
    'losetup --find --show DISK/disk.img',
    `dmsetup create NAME --table ${table(0)}`,
    'mount -t ext4 -o noatime /dev/mapper/NAME DISK/mount',
    'blockdev --setra 256 /dev/mapper/NAME',
    ...change(5),
    'blockdev --setra 256 /dev/mapper/NAME',
    ...change(0),
    'umount DISK/mount',
    'dmsetup remove --retry NAME',
    'losetup -d /dev/loopN',
  ]);
});

/** nbdkit's command line when a read takes 5 ms. */
async function served(options: Partial<DiskOptions>): Promise<string> {
  const commands = await dryRun('nbd-delay', options);
  return commands.filter((line) => line.startsWith('nbdkit'))[1] ?? '';
}

test('nbd-delay restarts its device to change the delay', async () => {
  const up = (readMs: number, writeMs: number) => [
    'nbdkit --unix DISK/nbd.sock --threads=4 --filter=delay file DISK/disk.img ' +
      `rdelay=${readMs}ms wdelay=${writeMs}ms`,
    'nbdfuse --connections 16 DISK/nbd --unix DISK/nbd.sock',
    'losetup --find --show --direct-io=on DISK/nbd/nbd',
    'mount -t ext4 -o noatime /dev/loopN DISK/mount',
    'blockdev --setra 256 /dev/loopN',
  ];
  const down = ['umount DISK/mount', 'losetup -d /dev/loopN', 'umount DISK/nbd'];
  expect(await dryRun('nbd-delay', { delayWrites: true })).toEqual([
    ...up(0, 0),
    ...down,
    ...up(5, 5),
    ...down,
  ]);
});

test('nbd-live changes its delay through a file, without a command', async () => {
  const plugin = join(import.meta.dirname, 'back-ends', 'nbd-live.py');
  expect(await dryRun('nbd-live')).toEqual([
    'nbdkit --unix DISK/nbd.sock --threads=4 ' +
      `python ${plugin} image=DISK/disk.img control=DISK/delays`,
    'nbdfuse --connections 16 DISK/nbd --unix DISK/nbd.sock',
    'losetup --find --show --direct-io=on DISK/nbd/nbd',
    'mount -t ext4 -o noatime /dev/loopN DISK/mount',
    'blockdev --setra 256 /dev/loopN',
    'umount DISK/mount',
    'losetup -d /dev/loopN',
    'umount DISK/nbd',
  ]);
});

test('writes have their own delay, also under delayWrites', async () => {
  expect(await served({ writeDelayMs: 7 })).toMatch(/rdelay=5ms wdelay=7ms$/);
  expect(await served({ writeDelayMs: 7, delayWrites: true })).toMatch(/rdelay=5ms wdelay=7ms$/);
});

test('a bandwidth is passed in bits, with requests cut to fit the burst allowance', async () => {
  expect(await served({ bandwidthBytesPerSecond: 10_000_000 })).toMatch(
    /--filter=delay --filter=blocksize --filter=rate file .* maxdata=32K rate=80000000 burstiness=0\.006553600$/,
  );
});

test('bad reads are applied behind the delay and wait for a file', async () => {
  expect(await served({ badReadRate: 0.25 })).toMatch(
    /--filter=delay --filter=error file .*error-pread-rate=0\.25 error-pread-file=DISK\/bad-reads$/,
  );
});

test('another file system and read-ahead; btrfs has its own read-ahead', async () => {
  const xfs = await dryRun('nbd-delay', { fileSystem: 'xfs', readAheadKiB: 0 });
  expect(xfs).toContain('mount -t xfs -o noatime,nouuid /dev/loopN DISK/mount');
  expect(xfs).toContain('blockdev --setra 0 /dev/loopN');
  const btrfs = await dryRun('nbd-delay', { fileSystem: 'btrfs', readAheadKiB: 64 });
  expect(btrfs).toContain('echo 64 | tee /sys/fs/btrfs/UUID/bdi/read_ahead_kb');
});

const silent = createPrivilege({ dryRun: true, say: () => undefined });

test('what a back end cannot do is reported with an alternative', async () => {
  const plain = { delayWrites: true };
  expect(await dmDelay.problems(plain, 1, silent)).toEqual([]);
  expect(await nbdDelay.problems(plain, 1, silent)).toEqual([]);
  const unusual = { ...plain, flushDelayMs: 3, bandwidthBytesPerSecond: 1e6, badReadRate: 0.1 };
  expect(await nbdLive.problems(unusual, 0.25, silent)).toEqual([]);
  expect(await dmDelay.problems({ ...plain, bandwidthBytesPerSecond: 1e6 }, 1, silent)).toEqual([
    expect.stringMatching(/limits the bandwidth: use --storage nbd-live/),
  ]);
  expect(await dmDelay.problems({ delayWrites: false }, 0.5, silent)).toEqual([
    expect.stringMatching(/0\.5 ms; dm-delay counts delays in whole ms/),
  ]);
  expect(await nbdDelay.problems({ ...plain, flushDelayMs: 3 }, 1, silent)).toEqual([
    expect.stringMatching(/cannot delay flushes: use --storage nbd-live/),
  ]);
});

test('when the kernel refuses a table, the device keeps running unchanged', async () => {
  const commands: string[] = [];
  const privilege: Privilege = {
    dryRun: false,
    images: new Set(),
    obstacle: () => null,
    run(argv) {
      commands.push(argv[1] ?? '');
      return argv[1] === 'load' ? Promise.reject(new Error('EINVAL')) : Promise.resolve('');
    },
    start: () => Promise.resolve(null),
    converse: () => Promise.resolve(null),
    dropPageCache: () => Promise.resolve(),
    preparePageCache: () => Promise.resolve(null),
  };
  const changing = exchangeTable('cachescope-disk-00000000', ['--table', ''], privilege);
  await expect(changing).rejects.toMatchObject({ code: 'CS_STORAGE_DM' });
  expect(commands).toEqual(['load']);
});
