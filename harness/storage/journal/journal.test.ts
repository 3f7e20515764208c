import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Journal } from './journal.ts';
import { journalDirectory } from './state-directory.ts';
import type { Made } from './made.ts';

let directory = '';
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'cachescope-test-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const image: Made = { kind: 'directory', path: '/tmp/cachescope-disk-0' };
const standing = { kind: 'nbd-delay', delayWrites: true, delayMs: 0 } as const;
const loop: Made = { kind: 'loop', backingFile: '/tmp/cachescope-disk-0/disk.img' };

function reread(journal: Journal): Journal {
  const read = Journal.read(journal.path ?? '');
  if (!read) throw new Error('the journal cannot be read');
  return read;
}

test('another program reads the entries that are not undone, in order', () => {
  const journal = Journal.begin({ directory });
  journal.record(image);
  const undone = journal.record({ kind: 'mount', path: '/mnt' });
  journal.record(loop);
  journal.undone(undone);
  expect(reread(journal).entries).toEqual([
    { number: 0, made: image },
    { number: 2, made: loop },
  ]);
});

test('details known only after creation replace the entry', () => {
  const journal = Journal.begin({ directory });
  journal.record(image);
  const entry = journal.record(loop);
  journal.refine(entry, { ...loop, device: '/dev/loop3' });
  expect(reread(journal).entries).toEqual([
    { number: 0, made: image },
    { number: 1, made: { ...loop, device: '/dev/loop3' } },
  ]);
});

test('a journal that is written for days stays short, and keeps what applies', () => {
  const journal = Journal.begin({ directory, standing });
  journal.record(image);
  journal.undone(journal.record({ kind: 'mount', path: '/mnt' }));
  for (let delayMs = 1; delayMs <= 2000; delayMs++) {
    journal.note({ delayMs });
    journal.claim();
  }
  expect(statSync(journal.path ?? '').size).toBeLessThan(70_000);
  expect(reread(journal).head.standing?.delayMs).toBe(2000);
  expect(reread(journal).entries).toEqual([{ number: 0, made: image }]);
  expect(readdirSync(directory)).toHaveLength(1);
});

test('entries of a second program continue the numbering', () => {
  const journal = Journal.begin({ directory });
  journal.record(image);
  expect(reread(journal).record(loop)).toBe(1);
});

test('a last line cut off by a crash is skipped, and the next line does not join it', () => {
  const journal = Journal.begin({ directory });
  journal.record(image);
  appendFileSync(journal.path ?? '', '{"number":1,"make":{"kind":"lo');
  const read = reread(journal);
  expect(read.entries).toEqual([{ number: 0, made: image }]);
  read.claim();
  read.undone(0);
  expect(reread(journal).entries).toEqual([]);
});

test('entries without an owner are reported, not passed over', () => {
  const path = join(directory, 'x.ndjson');
  writeFileSync(path, `${JSON.stringify({ number: 0, make: image })}\n`);
  expect(() => Journal.read(path)).toThrow('no line names its owner');
});

test('on a full disk nothing new is made, and undoing goes on', () => {
  const journal = Journal.begin({ directory });
  const number = journal.record(image);
  const path = journal.path ?? '';
  rmSync(path);
  symlinkSync('/dev/full', path);
  expect(() => journal.record(loop)).toThrow('ENOSPC');
  journal.claim();
  journal.undone(number);
  expect(journal.entries.map(({ made }) => made)).not.toContainEqual(image);
});

test('it is owned while the process that wrote it runs; the same pid with another start time is another process', () => {
  const journal = Journal.begin({ directory });
  expect(reread(journal).isOwned).toBe(true);
  const owner = { ...journal.head.owner, startTime: journal.head.owner.startTime - 1 };
  appendFileSync(journal.path ?? '', `${JSON.stringify({ head: { ...journal.head, owner } })}\n`);
  const read = reread(journal);
  expect(read.isOwned).toBe(false);
  read.claim();
  expect(reread(journal).isOwned).toBe(true);
});

test('standing storage reports the delay that was last set', () => {
  const journal = Journal.begin({ directory, standing });
  journal.note({ delayMs: 20 });
  expect(reread(journal).head.standing).toEqual({ ...standing, delayMs: 20 });
});

test('the file is removed when nothing is left to undo, and not before', () => {
  const journal = Journal.begin({ directory });
  const number = journal.record(image);
  journal.end();
  expect(existsSync(journal.path ?? '')).toBe(true);
  journal.undone(number);
  journal.end();
  expect(readdirSync(directory)).toEqual([]);
});

test('an in-memory journal writes no file', () => {
  const journal = Journal.begin({ directory, inMemory: true });
  journal.record(image);
  journal.claim();
  expect(journal.entries).toEqual([{ number: 0, made: image }]);
  expect(readdirSync(directory)).toEqual([]);
});

test('journals are in the state directory of the XDG specification', () => {
  expect(journalDirectory({ XDG_STATE_HOME: '/state' })).toBe('/state/cachescope/storage');
  const usual = journalDirectory({});
  expect(usual).toMatch(/^\/.*\/\.local\/state\/cachescope\/storage$/);
  expect(journalDirectory({ XDG_STATE_HOME: 'relative' })).toBe(usual);
  expect(journalDirectory({ XDG_STATE_HOME: '' })).toBe(usual);
});
