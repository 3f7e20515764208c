import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPrivilege, type Privilege } from '../privilege.ts';
import type { BackEnd, DeviceParts } from './back-ends/back-end.ts';
import { diskControls } from './disk-controls.ts';
import { Journal } from './journal/journal.ts';

let directory = '';
let parts: DeviceParts;
let ups: number[] = [];
let switched: boolean[] = [];

/** Only the directory is real. */
const privilege: Privilege = {
  ...createPrivilege({ dryRun: false, say: () => undefined }),
  run: () => Promise.resolve(''),
};

const backEnd: BackEnd = {
  kind: 'nbd-delay',
  changesLive: false,
  packages: [],
  title: '',
  delayedWritesText: '',
  problems: (_options, readDelayMs) =>
    Promise.resolve(Number.isInteger(readDelayMs) ? [] : [`no ${readDelayMs} ms`]),
  bringUp: (_parts, { readDelayMs }) => {
    ups.push(readDelayMs);
    return readDelayMs === 13 ? Promise.reject(new Error('unlucky')) : Promise.resolve('/dev/null');
  },
  switchBadReads: (_parts, _properties, on) => {
    switched.push(on);
    return Promise.resolve();
  },
};

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'controls-test-')), 'cachescope-disk-00000000');
  mkdirSync(directory);
  ups = [];
  switched = [];
  const journal = Journal.begin({ inMemory: true });
  journal.record({ kind: 'directory', path: directory });
  const places = { directory, image: join(directory, 'disk.img'), mountPoint: directory };
  parts = { ...places, imageBytes: 4096, journal, privilege };
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

const controls = () =>
  diskControls(
    { ...parts, backEnd, options: { delayWrites: false, badReadRate: 0.1 } },
    { device: '/dev/null', delayMs: 0, readsFail: false },
  );

test('setting the same delay again does nothing; after a failure the delay is set again, and the image stays', async () => {
  const disk = controls();
  await disk.setDelay(0);
  await disk.setDelay(5);
  await disk.setDelay(5);
  expect(ups).toEqual([5]);
  await expect(disk.setDelay(13)).rejects.toThrow('unlucky');
  await disk.setDelay(5);
  expect(ups).toEqual([5, 13, 5]);
  expect(existsSync(directory)).toBe(true);
});

test('an invalid delay is refused before anything changes', async () => {
  const disk = controls();
  await expect(disk.setDelay(0.5)).rejects.toMatchObject({
    code: 'CS_STORAGE_DELAY',
    message: 'no 0.5 ms',
    exitCode: 2,
  });
  await expect(disk.setDelay(-1)).rejects.toMatchObject({ code: 'CS_STORAGE_DELAY' });
  expect(ups).toEqual([]);
});

test('bad reads are off while the disk is remounted, then on again; and off before it is detached', async () => {
  const disk = controls();
  await disk.setBadReadRate?.(0);
  await disk.setBadReadRate?.(0.1);
  await disk.setDelay(5);
  expect(switched).toEqual([true, false, true]);
  await expect(disk.setBadReadRate?.(0.2)).rejects.toMatchObject({ code: 'CS_STORAGE_BAD_READS' });
  await disk.detach();
  expect(switched).toEqual([true, false, true, false]);
  expect(existsSync(directory)).toBe(false);
  await expect(disk.setDelay(1)).rejects.toMatchObject({ code: 'CS_STORAGE_GONE' });
});

test('after a removal that failed half-way the delay is unknown, and setting the old one is no success', async () => {
  // Cannot be unmounted, and is not the mount point: the disk itself is gone.
  parts.journal.record({ kind: 'mount', path: '/proc' });
  const disk = controls();
  await expect(disk.setDelay(5)).rejects.toMatchObject({ code: 'CS_STORAGE_LEFT' });
  await expect(disk.setDelay(0)).rejects.toMatchObject({ code: 'CS_STORAGE_LEFT' });
});

test('a busy disk stays as it was: bad reads are on again', async () => {
  // Always mounted, and never by this program: it is not unmounted.
  parts.mountPoint = '/proc';
  parts.journal.record({ kind: 'mount', path: '/proc' });
  const disk = controls();
  await disk.setBadReadRate?.(0.1);
  await expect(disk.setDelay(5)).rejects.toMatchObject({ code: 'CS_STORAGE_BUSY' });
  expect(switched).toEqual([true, false, true]);
  expect(ups).toEqual([]);
});
