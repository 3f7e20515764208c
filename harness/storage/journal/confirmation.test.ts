import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPrivilege } from '../../privilege.ts';
import { doubtOf } from './confirmation.ts';
import { Journal } from './journal.ts';
import type { Made } from './made.ts';
import { identityOf, type ProcessIdentity } from './process-identity.ts';
import { identityOfFile } from '../file-system.ts';
import { undoLines } from './undo-commands.ts';
import { undo } from './undo.ts';

let parent = '';
let work = '';
let stranger: ChildProcess;
let ownNginx: ProcessIdentity;
let renamedNginx: ProcessIdentity;
let foreignNginx: ProcessIdentity;
let foreignConfigNginx: ProcessIdentity;
let started: ChildProcess[];

const fileAt = (path: string) => identityOfFile(statSync(path, { bigint: true }));

/** A program that is started with a directory as nginx is. */
async function startNginxIn(
  directory: string,
  { name = 'nginx', configIn = directory } = {},
): Promise<ProcessIdentity> {
  const program = join(parent, name);
  writeFileSync(program, '#!/bin/sh\necho started\nread line\n', { mode: 0o755 });
  const config = join(configIn, 'nginx.conf');
  const child = spawn(program, ['-p', directory, '-c', config, '-e', '/dev/null']);
  started.push(child);
  await once(child.stdout, 'data');
  return identityOf(child.pid ?? 0) ?? { pid: 0, startTime: 0 };
}

beforeAll(async () => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'confirmation-test-')));
  work = join(parent, 'cachescope-disk-00000000');
  mkdirSync(work);
  stranger = spawn('sleep', ['600']);
  started = [stranger];
  ownNginx = await startNginxIn(work);
  renamedNginx = await startNginxIn(work, { name: 'nginx-tempfiles' });
  foreignNginx = await startNginxIn('/etc/nginx');
  foreignConfigNginx = await startNginxIn(work, { configIn: '/etc/nginx' });
});
afterAll(() => {
  started.forEach((child) => child.kill());
  rmSync(parent, { recursive: true });
});

test('paths in a work directory of this user are confirmed', () => {
  const image = join(parent, 'slow.img');
  writeFileSync(image, '');
  const made: Made[] = [
    { kind: 'directory', path: work },
    { kind: 'loop', backingFile: join(work, 'disk.img') },
    { kind: 'mount', path: join(work, 'mount') },
    { kind: 'fuse', path: join(work, 'nbd') },
    { kind: 'device-mapper', name: 'cachescope-disk-00000000' },
    { kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/cachescope-1' },
    { kind: 'tracing-instance', path: join(work, 'tracing/instances/cachescope-1') },
    { kind: 'image', path: image, file: fileAt(image) },
    { kind: 'loop', backingFile: image },
    { kind: 'process', name: 'nginx', process: ownNginx },
    { kind: 'process', name: 'nginx-tempfiles', process: renamedNginx },
    // Journals of earlier versions have the same name for every file.
    { kind: 'process', name: 'nginx', process: renamedNginx },
    // It has ended; another program may have its pid.
    { kind: 'process', name: 'nginx', process: { pid: stranger.pid ?? 0, startTime: 1 } },
    { kind: 'network-namespace', name: 'cachescope-9' },
  ];
  expect(made.map((each) => doubtOf(each, made))).toEqual(made.map(() => null));
});

test('a loop device is confirmed by the image at the path, not by its name', () => {
  const image = join(parent, 'slow.img');
  writeFileSync(image, '');
  const loop: Made = { kind: 'loop', backingFile: image };
  const unknown: Made = { kind: 'image', path: image };
  const replaced: Made = { ...unknown, file: { ...fileAt(image), inode: '1' } };
  // Its inode number was given to a file that was made later.
  const later: Made = { ...unknown, file: { ...fileAt(image), birthtimeNs: '1' } };
  for (const entry of [unknown, replaced, later])
    expect(doubtOf(loop, [entry, loop])).toContain(image);
});

test('a journal undoes only what the machine shows was made by this program', async () => {
  const pid = stranger.pid ?? 0;
  const identity = identityOf(pid) ?? { pid, startTime: 0 };
  symlinkSync('/etc', join(parent, 'cachescope-link'));
  mkdirSync(join(parent, 'other'));
  mkdirSync(join(parent, 'cachescope-main'));
  const made: Made[] = [
    { kind: 'directory', path: join(parent, 'other') },
    { kind: 'directory', path: join(parent, 'cachescope-link') },
    { kind: 'directory', path: join(work, '..', 'other') },
    // Named by a user, such as the folder of a clone.
    { kind: 'directory', path: join(parent, 'cachescope-main') },
    // Mounted on every Linux machine.
    { kind: 'mount', path: '/proc' },
    { kind: 'fuse', path: '/proc' },
    { kind: 'loop', backingFile: '/var/lib/somebody.img' },
    { kind: 'device-mapper', name: 'vg-root' },
    { kind: 'network-namespace', name: 'cachescope-1/../somebody' },
    { kind: 'tracing-instance', path: '/home/me/instances/cachescope-1' },
    { kind: 'network-namespace', name: 'somebody' },
    { kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/somebody' },
    { kind: 'process', name: 'sleep', process: identity },
    { kind: 'process', name: 'nginx', process: identity },
    { kind: 'process', name: 'nginx', process: foreignNginx },
    { kind: 'process', name: 'nginx', process: foreignConfigNginx },
  ];
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  for (const each of made) {
    const journal = Journal.begin({ inMemory: true });
    journal.record(each);
    expect(undoLines([journal])).toEqual([]);
    const error = await undo(journal, privilege).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'CS_STORAGE_LEFT', exitCode: 5 });
    expect(String(error)).not.toContain('Or type');
  }
  for (const child of started) expect(child.exitCode ?? child.signalCode).toBeNull();
});

test('a directory below what is no directory is gone, and its removal does nothing', async () => {
  const path = '/etc/passwd/cachescope-query-0123abcd';
  expect(doubtOf({ kind: 'directory', path }, [])).toBeNull();
  const journal = Journal.begin({ inMemory: true });
  journal.record({ kind: 'directory', path });
  await expect(
    undo(journal, createPrivilege({ dryRun: false, say: () => undefined })),
  ).resolves.toBeUndefined();
});
