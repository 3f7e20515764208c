import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandText, type Privilege } from '../../privilege.ts';
import { createImage } from '../file-system.ts';
import { Journal } from './journal.ts';
import { undo } from './undo.ts';

/** A simulated machine: what it reports, and how often a resource is busy. */
const machine = vi.hoisted(() => ({
  mounts: [] as string[],
  /** Mount points where a command that outlived its program mounts a loop device. */
  lateMounts: [] as string[],
  loops: new Map<string, string>(),
  mapped: [] as string[],
  busy: new Map<string, number>(),
  /** What a command that was not waited for creates at the first unmount. */
  comesLate: (): unknown => undefined,
  commands: [] as string[],
}));

vi.mock('../mounts.ts', () => ({
  deviceMountedAt: (path: string) => (machine.mounts.includes(path) ? 'tmpfs' : null),
  isMounted: (path: string) => machine.mounts.includes(path),
  mountPointsOf: () => machine.lateMounts,
  mountsBelow: (path: string) => machine.mounts.filter((mount) => mount.startsWith(`${path}/`)),
}));
vi.mock('../loop-devices.ts', () => ({
  backingFileOf: () => null,
  loopDevicesOver: (file: string) =>
    [...machine.loops].filter(([, backing]) => backing === file).map(([device]) => device),
}));
vi.mock('../back-ends/device-mapper.ts', async (original) => ({
  ...(await original<object>()),
  isMapped: (name: string) => machine.mapped.includes(name),
}));
vi.mock('./processes-naming.ts', async (original) => ({
  ...(await original<object>()),
  nbdServersIn: () => [],
  nbdServers: new Set(),
}));

/** Prefix of a command that a user is to type. */
const sudo = process.getuid?.() === 0 ? '' : 'sudo ';

const privilege: Privilege = {
  dryRun: false,
  images: new Set(),
  obstacle: () => null,
  run(argv) {
    machine.commands.push(commandText(argv));
    const left = machine.busy.get(argv[0] ?? '') ?? 0;
    machine.busy.set(argv[0] ?? '', left - 1);
    if (left > 0) return Promise.reject(new Error(`${commandText(argv)}: target is busy`));
    const target = argv.at(-1) ?? '';
    if (argv[0] === 'umount') {
      machine.comesLate();
      machine.comesLate = () => undefined;
      if ([...machine.loops.values()].some((file) => file.startsWith(`${target}/`)))
        return Promise.reject(new Error(`umount ${target}: target is busy`));
      machine.mounts = machine.mounts.filter((path) => path !== target);
      machine.lateMounts = machine.lateMounts.filter((path) => path !== target);
    }
    if (argv[0] === 'losetup') machine.loops.delete(target);
    if (argv[1] === 'table') return Promise.resolve('0 8 delay 7:0 0 9000 7:0 0 0 7:0 0 0\n');
    if (argv[1] === 'remove') machine.mapped = machine.mapped.filter((name) => name !== target);
    return Promise.resolve('');
  },
  start: () => Promise.resolve(null),
  converse: () => Promise.resolve(null),
  dropPageCache: () => Promise.resolve(),
  preparePageCache: () => Promise.resolve(null),
};

let parent = '';
let directory = '';
let journal: Journal;

/** A mounted disk over dm-delay, in a directory that exists. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  parent = mkdtempSync(join(tmpdir(), 'undo-test-'));
  directory = join(parent, 'cachescope-disk-00000000');
  mkdirSync(directory);
  const mount = join(directory, 'mount');
  Object.assign(machine, { mounts: [mount], mapped: ['cachescope-0'], commands: [] });
  machine.loops = new Map([
    ['/dev/loop3', join(directory, 'disk.img')],
    ['/dev/loop4', '/home/somebody/else.img'],
  ]);
  machine.busy.clear();
  journal = Journal.begin({ inMemory: true });
  journal.record({ kind: 'directory', path: directory });
  journal.record({ kind: 'loop', backingFile: join(directory, 'disk.img') });
  journal.record({ kind: 'device-mapper', name: 'cachescope-0' });
  journal.record({ kind: 'mount', path: mount });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(parent, { recursive: true });
});

/** Undoes, with the clock advanced by the length of the pauses. */
async function undoNow(downTo?: number): Promise<void> {
  const undoing = undo(journal, privilege, downTo);
  const settled = undoing.then(
    () => undefined,
    () => undefined,
  );
  await vi.runAllTimersAsync();
  await settled;
  return undoing;
}

/** A device that a crash left slow or suspended must first respond at once. */
const calming = [
  'dmsetup table cachescope-0',
  "dmsetup load cachescope-0 --table '0 8 delay 7:0 0 0 7:0 0 0 7:0 0 0'",
  'dmsetup resume cachescope-0',
];

test('everything is undone in reverse order, and nothing of other programs', async () => {
  await undoNow();
  expect(machine.commands).toEqual([
    ...calming,
    `umount ${directory}/mount`,
    'dmsetup remove --retry cachescope-0',
    'losetup -d /dev/loop3',
  ]);
  expect(existsSync(directory)).toBe(false);
  expect([...machine.loops.keys()]).toEqual(['/dev/loop4']);
  expect(journal.entries).toEqual([]);
});

test('a second time it does nothing', async () => {
  await undoNow();
  machine.commands = [];
  await undoNow();
  expect(machine.commands).toEqual([]);
});

test('entries that the machine does not show are only removed from the journal', async () => {
  Object.assign(machine, { mounts: [], mapped: [] });
  await undoNow();
  expect(machine.commands).toEqual(['losetup -d /dev/loop3']);
  expect(journal.entries).toEqual([]);
});

test('a mount that appeared after its own undo step is undone with its loop device', async () => {
  const point = join(directory, 'mount');
  Object.assign(machine, { mounts: [], mapped: [], lateMounts: [point] });
  await undoNow();
  expect(machine.commands).toEqual([`umount ${point}`, 'losetup -d /dev/loop3']);
  expect(journal.entries).toEqual([]);
});

test('a loop device that appeared after its own undo step keeps its file busy, and is then undone', async () => {
  const served = join(directory, 'nbd');
  Object.assign(machine, { mounts: [served], mapped: [], loops: new Map() });
  const late = Journal.begin({ inMemory: true });
  late.record({ kind: 'fuse', path: served });
  late.record({ kind: 'loop', backingFile: join(served, 'nbd') });
  machine.comesLate = () => machine.loops.set('/dev/loop5', join(served, 'nbd'));
  const undoing = undo(late, privilege);
  await vi.runAllTimersAsync();
  await undoing;
  expect(machine.commands.slice(-2)).toEqual(['losetup -d /dev/loop5', `umount ${served}`]);
  expect(late.entries).toEqual([]);
});

test('a tracing instance that does not exist is removed from the journal', async () => {
  const traced = Journal.begin({ inMemory: true });
  traced.record({ kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/cachescope-0' });
  machine.busy.set('rmdir', 1);
  await undo(traced, privilege);
  expect(machine.commands).toEqual([
    'rmdir /sys/kernel/tracing/instances/cachescope-0',
    "test '!' -e /sys/kernel/tracing/instances/cachescope-0",
  ]);
  expect(traced.entries).toEqual([]);
});

test('a tracing instance stays in the journal unless its absence is proven', async () => {
  const traced = Journal.begin({ inMemory: true });
  traced.record({ kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/cachescope-0' });
  machine.busy.set('rmdir', 1).set('test', 1);
  await expect(undo(traced, privilege)).rejects.toMatchObject({ code: 'CS_STORAGE_LEFT' });
  expect(traced.entries).toHaveLength(1);
});

test('it stops at the requested entry', async () => {
  await undoNow(2);
  expect(machine.commands.at(-1)).toBe('dmsetup remove --retry cachescope-0');
  expect(journal.entries.map(({ number }) => number)).toEqual([0, 1]);
  expect(existsSync(directory)).toBe(true);
});

test('what is busy for a moment is retried', async () => {
  machine.busy.set('umount', 2);
  await undoNow();
  expect(machine.commands.filter((line) => line.startsWith('umount'))).toHaveLength(3);
  expect(journal.entries).toEqual([]);
});

test('what stays busy ends the undo: nothing below is touched, and the rest is listed in order', async () => {
  machine.busy.set('umount', Number.POSITIVE_INFINITY);
  const failure = undoNow();
  await expect(failure).rejects.toMatchObject({ code: 'CS_STORAGE_LEFT', exitCode: 5 });
  await expect(failure).rejects.toThrow(`umount ${directory}/mount: target is busy`);
  const error = await failure.catch((caught: { hint: string }) => caught);
  expect(error?.hint.split('\n').slice(1)).toEqual([
    `  ${sudo}umount ${directory}/mount`,
    `  ${sudo}dmsetup remove --retry cachescope-0`,
    `  ${sudo}losetup -d /dev/loop3`,
    `  ${sudo}rm -r ${directory}`,
  ]);
  expect(machine.commands.slice(0, 3)).toEqual(calming);
  expect(machine.commands.slice(3).every((line) => line.startsWith('umount'))).toBe(true);
  expect(journal.entries).toHaveLength(4);
});

test('an image at a path that the user chose is removed, and its neighbours stay', async () => {
  const image = join(parent, 'slow.img');
  const mine = join(parent, 'mine');
  const file = await createImage(image, 4096);
  journal.record({ kind: 'image', path: image, file });
  // Not yet created by us when its program was killed, or recreated by another program.
  writeFileSync(mine, '');
  journal.record({ kind: 'image', path: mine });
  journal.record({ kind: 'image', path: mine, file });
  await undoNow();
  expect([existsSync(image), existsSync(mine)]).toEqual([false, true]);
});

test('an image that cannot get its size is not left', async () => {
  const image = join(parent, 'slow.img');
  await expect(createImage(image, Number.MAX_VALUE)).rejects.toThrow();
  expect(existsSync(image)).toBe(false);
});

test('a directory that contains a mount is not deleted', async () => {
  machine.mounts.push(join(directory, 'other'));
  await expect(undoNow()).rejects.toThrow(/still holds the mount/);
  expect(existsSync(directory)).toBe(true);
});

test('a directory without our name prefix is not deleted', async () => {
  const foreign = Journal.begin({ inMemory: true });
  foreign.record({ kind: 'directory', path: parent });
  await expect(undo(foreign, privilege)).rejects.toThrow(/not named like a directory/);
  expect(existsSync(parent)).toBe(true);
});
