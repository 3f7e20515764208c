import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPrivilege } from '../../privilege.ts';
import { identityOfFile } from '../file-system.ts';
import { Journal } from './journal.ts';
import { journalsElsewhere } from './journals.ts';
import type { StandingStorage } from './made.ts';
import { leftBehind, reap } from './reaper.ts';
import { makeStateDirectory } from './state-directory.ts';

const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const standing: StandingStorage = { kind: 'nbd-delay', delayWrites: false, delayMs: 0 };
let state = '';
let work = '';
let said: string[] = [];

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'reaper-test-'));
  work = join(state, 'cachescope-disk-00000000');
  mkdirSync(work);
  said = [];
});
afterEach(() => rmSync(state, { recursive: true }));

/**
 * A journal that lists the work directory. With `ended` its owner has exited: it had this process's pid and an earlier
 * start time.
 */
function journalOf(options: { ended: boolean; standing?: StandingStorage }): Journal {
  const journal = Journal.begin({ directory: state, standing: options.standing });
  journal.record({ kind: 'directory', path: work });
  const owner = { ...journal.head.owner, startTime: 1 };
  const head = JSON.stringify({ head: { ...journal.head, owner } });
  if (options.ended) appendFileSync(journal.path ?? '', `${head}\n`);
  return journal;
}

const reapNow = () => reap(privilege, (line) => said.push(line), state);

test('what an exited program left behind is removed, and its journal with it', async () => {
  const journal = journalOf({ ended: true });
  await reapNow();
  expect(existsSync(work)).toBe(false);
  expect(existsSync(journal.path ?? '')).toBe(false);
  expect(said).toEqual([expect.stringContaining('left behind')]);
});

test('what a running program made stays', async () => {
  journalOf({ ended: false });
  await reapNow();
  expect(existsSync(work)).toBe(true);
  expect(said).toEqual([]);
});

test('what a program on another machine made stays: a home directory may be shared', async () => {
  const journal = journalOf({ ended: true });
  const machine = { hostName: 'another', bootId: 'another', pidNamespace: 'pid:[1]' };
  appendFileSync(
    journal.path ?? '',
    `${JSON.stringify({ head: { ...journal.head, owner: { pid: 1, startTime: 1 }, machine } })}\n`,
  );
  await reapNow();
  expect(existsSync(work)).toBe(true);
  expect(said).toEqual([]);
  expect(journalsElsewhere(state).map(({ path }) => path)).toEqual([journal.path]);
});

test('standing storage stays while it is mounted', () => {
  const journal = journalOf({ ended: true, standing });
  // Mounted on every Linux machine, and nothing is undone here.
  journal.record({ kind: 'mount', path: '/proc' });
  expect(leftBehind(state)).toEqual([]);
});

test('standing storage that is no longer mounted counts as left behind, for example after a restart', async () => {
  journalOf({ ended: true, standing });
  await reapNow();
  expect(existsSync(work)).toBe(false);
});

test('an entry that cannot be undone is reported, and its journal kept', async () => {
  const foreign = join(state, 'not-ours');
  mkdirSync(foreign);
  const journal = journalOf({ ended: true });
  journal.record({ kind: 'directory', path: foreign });
  await reapNow();
  expect(said.join('\n')).toMatch(/CS_STORAGE_LEFT.*not-ours/s);
  expect(existsSync(foreign)).toBe(true);
  expect(existsSync(journal.path ?? '')).toBe(true);
});

test.each(['{}', '{"number":0}', '[1,2]', '{"number":9,"make":{"kind":"bomb"}}', 'hello', '"x"'])(
  'a line that does not parse is reported and set aside, and the rest is undone: %s',
  async (line) => {
    const journal = journalOf({ ended: true });
    appendFileSync(journal.path ?? '', `${line}\n`);
    expect(await reapNow()).toBe(1);
    expect(said[0]).toMatch(/^CS_JOURNAL: not everything in .* is acted on: line 4/);
    expect(existsSync(work)).toBe(false);
    expect(readdirSync(state)).toEqual([expect.stringMatching(/\.set-aside$/)]);
    expect(await reapNow()).toBe(0);
  },
);

test('a journal whose header does not parse is reported and does not block others', async () => {
  writeFileSync(join(state, 'other.ndjson'), '{"head":{}}\n', { mode: 0o600 });
  journalOf({ ended: true });
  expect(await reapNow()).toBe(1);
  expect(said.join()).toContain('other.ndjson');
  expect(existsSync(work)).toBe(false);
});

test.each([
  ['others can write to', (path: string) => chmodSync(path, 0o620)],
  ['others can write to', () => chmodSync(state, 0o777)],
  ['others can write to', () => chmodSync(state, 0o1777)],
  [
    'is a symbolic link',
    (path: string) => {
      writeFileSync(join(state, 'target'), '', { mode: 0o600 });
      rmSync(path);
      symlinkSync(join(state, 'target'), path);
    },
  ],
])('a journal that another user may have written is not acted on: %s', async (why, spoil) => {
  spoil(journalOf({ ended: true }).path ?? '');
  expect(await reapNow()).toBe(1);
  expect(said[0]).toContain(why);
  expect(existsSync(work)).toBe(true);
});

test('a journal of another user is not acted on', async () => {
  journalOf({ ended: true });
  const user = vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
  try {
    expect(await reapNow()).toBe(1);
  } finally {
    user.mockRestore();
  }
  expect(said[0]).toContain(`belongs to user ${process.geteuid?.()}`);
  expect(existsSync(work)).toBe(true);
});

test('only this user can read the directory of journals', () => {
  const directory = join(state, 'made', 'storage');
  makeStateDirectory(directory);
  expect([directory, dirname(directory)].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700,
  ]);
});

const namespace = `cachescope-test-${process.pid}`;
const lacking = await privilege.run(['ip', 'netns', 'add', namespace]).then(
  () => null,
  (error: unknown) => String(error),
);
if (lacking) process.stderr.write(`The test of network namespaces is skipped: ${lacking}\n`);

test.skipIf(lacking)(
  'a network namespace is removed, and a missing one is not an error',
  async () => {
    const journal = journalOf({ ended: true });
    journal.record({ kind: 'network-namespace', name: namespace });
    expect(existsSync(`/run/netns/${namespace}`)).toBe(true);
    expect(await reapNow()).toBe(0);
    expect(existsSync(`/run/netns/${namespace}`)).toBe(false);
    journalOf({ ended: true }).record({ kind: 'network-namespace', name: namespace });
    expect(await reapNow()).toBe(0);
  },
);

test.each(['', '{"number":0,"ma'])(
  'a journal without an owner, %j, is named and removed',
  async (text) => {
    const path = join(state, 'standing@here.ndjson');
    writeFileSync(path, text, { mode: 0o600 });
    expect(await reapNow()).toBe(0);
    expect(said).toEqual([expect.stringContaining(path)]);
    expect(existsSync(path)).toBe(false);
  },
);

test('of outputs that a killed program wrote, its directory or its drafts are removed', async () => {
  const outputs = ['new', 'old'].map((name) => join(state, name));
  for (const [index, path] of outputs.entries()) {
    mkdirSync(path);
    writeFileSync(join(path, 'run.json'), '{}');
    writeFileSync(join(path, 'run.json.0123456789ab.tmp'), '{');
    const journal = journalOf({ ended: false });
    const file = identityOfFile(statSync(path, { bigint: true }));
    journal.record({ kind: 'output', path, file, ...(index === 1 && { drafts: true }) });
    const head = { ...journal.head, owner: { ...journal.head.owner, startTime: 1 } };
    appendFileSync(journal.path ?? '', `${JSON.stringify({ head })}\n`);
  }
  // A user has put another directory in the place of a third one.
  const other = Journal.begin({ directory: state });
  const replaced = join(state, 'replaced');
  mkdirSync(replaced);
  other.record({ kind: 'output', path: replaced, file: { inode: '1', birthtimeNs: '1' } });
  const head = { ...other.head, owner: { ...other.head.owner, startTime: 1 } };
  appendFileSync(other.path ?? '', `${JSON.stringify({ head })}\n`);
  expect(await reapNow()).toBe(0);
  expect(existsSync(outputs[0] ?? '')).toBe(false);
  expect(readdirSync(outputs[1] ?? '')).toEqual(['run.json']);
  expect(existsSync(replaced)).toBe(true);
});
