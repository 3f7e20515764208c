import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { machineFiles } from '../machine-files.ts';
import {
  containerRemark,
  deviceRemarks,
  directoryRemark,
  placeOf,
  roomRemark,
  temporaryDirectory,
} from './surroundings.mjs';

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'surroundings-test-'));
  const made = machine;
  onTestFinished(() => rmSync(made, { recursive: true }));
});

function have(path: string, text: string): void {
  mkdirSync(dirname(join(machine, path)), { recursive: true });
  writeFileSync(join(machine, path), text);
}

const textOf = (path: string) => machineFiles(machine).text(path);
const kernel = '/proc/sys/kernel/osrelease';
const inMemory = { type: 0x01_02_19_94, freeBytes: 1e12, isWritable: true };
const onDisk = { type: 0xef_53, freeBytes: 1e12, isWritable: true };
const ofWindows = { type: 0x01_02_19_97, freeBytes: 1e12, isWritable: true };

test.each([
  [kernel, '4.4.0-19041-Microsoft', /^WSL 1,/, /wsl --set-version NAME 2/],
  [kernel, '4.19.84-microsoft-standard', /^Windows Subsystem for Linux, version 2$/, /\/mnt/],
  [kernel, '6.6.87.2-microsoft-standard-WSL2', /version 2$/, /TMPDIR/],
  ['/.dockerenv', '', /^A container \(docker\)$/, /--device \/dev\/fuse/],
  ['/run/.containerenv', '', /\(podman\)$/, /container\.md/],
  ['/run/systemd/container', 'systemd-nspawn\n', /\(systemd-nspawn\)$/, /SYS_ADMIN/],
  ['/proc/1/environ', 'PATH=/bin\0container=lxc\0HOME=/', /\(lxc\)$/, /SYS_ADMIN/],
  ['/run/secrets/kubernetes.io/serviceaccount/namespace', 'lab', /\(kubernetes\)$/, /SYS_ADMIN/],
])('%s: %j is named, with what to do', (path, text, what, todo) => {
  have(path, text);
  const remark = containerRemark(textOf);
  expect(remark?.what).toMatch(what);
  expect(remark?.todo).toMatch(todo);
});

test('a machine of its own is no container', () => {
  have(kernel, '6.12.48+deb13-amd64');
  have('/proc/1/environ', 'HOME=/\0TERM=linux\0incontainer=1');
  expect(containerRemark(textOf)).toBeNull();
});

test.each([
  ['does not exist', null],
  ['cannot be written by this user', { ...onDisk, isWritable: false }],
  ['is in memory, so the control would be too', inMemory],
  ['is on a disk of Windows', ofWindows],
])('a TMPDIR that %s is named, with what to type', (problem, place) => {
  expect(directoryRemark('/d', place)).toEqual({
    what: `/d ${problem}`,
    todo: expect.stringContaining('type TMPDIR=/var/tmp before the command'),
  });
});

test('a directory on a disk is tried as it is', () => {
  expect(directoryRemark('/d', onDisk)).toBeNull();
  expect(placeOf(machine)?.isWritable).toBe(true);
  expect(placeOf(join(machine, 'none'))).toBeNull();
});

test('too little room is named with what is free and what is needed', () => {
  expect(roomRemark('/d', 1e9, { ...onDisk, freeBytes: 1e9 })).toBeNull();
  expect(roomRemark('/d', 1e9, { ...onDisk, freeBytes: 0.4e9 })?.what).toBe(
    '0.4 GB are free in /d, and 1.0 GB are needed',
  );
});

test('/var/tmp takes the place of a /tmp in memory, and of no directory that the user named', () => {
  const chosen = (tmp: typeof onDisk | null, varTmp: typeof onDisk | null, named?: string) =>
    temporaryDirectory(named, (path) => (path === '/tmp' ? tmp : varTmp));
  expect(chosen(onDisk, onDisk)).toBeUndefined();
  expect(chosen(inMemory, onDisk)).toBe('/var/tmp');
  expect(chosen(inMemory, onDisk, '/dev/shm')).toBe('/dev/shm');
  // Nothing is better than the default, of which the remark tells.
  expect(chosen(inMemory, inMemory)).toBeUndefined();
  expect(chosen(inMemory, null)).toBeUndefined();
});

test('a missing device is named, with what to do', () => {
  expect(deviceRemarks(() => true)).toEqual([]);
  expect(deviceRemarks((path) => path !== '/dev/fuse')).toEqual([
    { what: '/dev/fuse is missing', todo: expect.stringContaining('--device /dev/fuse') },
  ]);
});
