import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { delayTable, dmDelay } from './dm-delay.ts';
import { Journal } from './journal.ts';
import type { DeviceParts } from './back-end.ts';
import { attachStorage } from './storage.ts';

/** Every privileged command of a disk's life, with its directory written as DISK. */
async function rehearse(kind: 'dm-delay' | 'nbd-delay', delayWrites: boolean): Promise<string[]> {
  const shown: string[] = [];
  const say = (line: string) => shown.push(line.replace('sudo -n ', ''));
  const privilege = createPrivilege({ dryRun: true, say });
  const disk = await attachStorage({ kind, delayWrites, privilege });
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

test('dm-delay changes its delay under the mounted file system, and unmounts at none', async () => {
  const change = (delayMs: number) => [
    'dmsetup suspend --nolockfs --noflush NAME',
    `dmsetup load NAME --table '0 ${sectors} delay /dev/loopN 0 ${delayMs} /dev/loopN 0 0'`,
    'dmsetup resume NAME',
  ];
  expect(await rehearse('dm-delay', false)).toEqual([
    'losetup --find --show DISK/disk.img',
    `dmsetup create NAME --table '0 ${sectors} delay /dev/loopN 0 0 /dev/loopN 0 0'`,
    'blockdev --setra 256 /dev/mapper/NAME',
    'mount -t ext4 -o noatime /dev/mapper/NAME DISK/mount',
    ...change(5),
    ...change(0),
    'umount DISK/mount',
    'dmsetup remove --retry NAME',
    'losetup -d /dev/loopN',
  ]);
});

test('nbd-delay brings its device up anew for another delay', async () => {
  const up = (readMs: number, writeMs: number) => [
    "nbdfuse DISK/nbd '[' nbdkit --exit-with-parent --filter=delay file DISK/disk.img " +
      `rdelay=${readMs}ms wdelay=${writeMs}ms ']'`,
    'losetup --find --show --direct-io=on DISK/nbd/nbd',
    'blockdev --setra 256 /dev/loopN',
    'mount -t ext4 -o noatime /dev/loopN DISK/mount',
  ];
  const down = ['umount DISK/mount', 'losetup -d /dev/loopN', 'umount DISK/nbd'];
  expect(await rehearse('nbd-delay', true)).toEqual([...up(0, 0), ...down, ...up(5, 5), ...down]);
});

test('the delay table takes ms of reads, then of writes', () => {
  const table = (delayWrites: boolean) => delayTable('/dev/loop1', { delayMs: 7, delayWrites });
  expect(table(false)).toBe(`0 ${sectors} delay /dev/loop1 0 7 /dev/loop1 0 0`);
  expect(table(true)).toBe(`0 ${sectors} delay /dev/loop1 0 7 /dev/loop1 0 7`);
});

test('dm-delay resumes also when the kernel refuses the table', async () => {
  const commands: string[] = [];
  const privilege: Privilege = {
    dryRun: false,
    run(argv) {
      commands.push(argv[1] ?? '');
      return argv[1] === 'load' ? Promise.reject(new Error('EINVAL')) : Promise.resolve('');
    },
    start: () => Promise.resolve(null),
    dropPageCache: () => Promise.resolve(),
  };
  const directory = '/nowhere/cachescope-disk-0';
  const journal = Journal.begin({ inMemory: true });
  const parts: DeviceParts = { directory, image: `${directory}/disk.img`, journal, privilege };
  const changing = dmDelay.change?.(parts, { delayMs: 5, delayWrites: false });
  await expect(changing).rejects.toMatchObject({ code: 'CS_STORAGE_DM' });
  expect(commands).toEqual(['suspend', 'load', 'resume']);
});
