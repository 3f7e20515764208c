import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPrivilege } from '../../privilege.ts';
import { doubtOf } from './confirmation.ts';
import { Journal } from './journal.ts';
import type { Made } from './made.ts';
import { identityOf } from './process-identity.ts';
import { undo, undoLines } from './undo.ts';

let parent = '';
let work = '';
let stranger: ChildProcess;
beforeAll(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'confirmation-test-')));
  work = join(parent, 'cachescope-disk-0');
  mkdirSync(work);
  stranger = spawn('sleep', ['600']);
});
afterAll(() => {
  stranger.kill();
  rmSync(parent, { recursive: true });
});

test('paths in a work directory of this user are confirmed', () => {
  const made: Made[] = [
    { kind: 'directory', path: work },
    { kind: 'loop', backingFile: join(work, 'disk.img') },
    { kind: 'mount', path: join(work, 'mount') },
    { kind: 'fuse', path: join(work, 'nbd') },
    { kind: 'device-mapper', name: 'cachescope-disk-0' },
    { kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/cachescope-1' },
    { kind: 'image', path: '/home/me/slow.img' },
    { kind: 'loop', backingFile: '/home/me/slow.img' },
    { kind: 'network-namespace', name: 'cachescope-9' },
  ];
  expect(made.map((each) => doubtOf(each, made))).toEqual(made.map(() => null));
});

test('a journal undoes only what the machine shows was made by this program', async () => {
  const pid = stranger.pid ?? 0;
  const identity = identityOf(pid) ?? { pid, startTime: 0 };
  symlinkSync('/etc', join(parent, 'cachescope-link'));
  mkdirSync(join(parent, 'other'));
  const made: Made[] = [
    { kind: 'directory', path: join(parent, 'other') },
    { kind: 'directory', path: join(parent, 'cachescope-link') },
    { kind: 'directory', path: join(work, '..', 'other') },
    // Mounted on every Linux machine.
    { kind: 'mount', path: '/proc' },
    { kind: 'fuse', path: '/proc' },
    { kind: 'loop', backingFile: '/var/lib/somebody.img' },
    { kind: 'device-mapper', name: 'vg-root' },
    { kind: 'network-namespace', name: 'somebody' },
    { kind: 'tracing-instance', path: '/sys/kernel/tracing/instances/somebody' },
    { kind: 'process', name: 'sleep', process: identity },
    { kind: 'process', name: 'nginx', process: identity },
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
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});
