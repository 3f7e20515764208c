import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readForeignFile, readForeignText } from './foreign-file.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'foreign-'));
  writeFileSync(join(directory, 'file'), '\uFEFFcontent');
  writeFileSync(join(directory, 'large'), '');
  truncateSync(join(directory, 'large'), 2 ** 40);
  symlinkSync('file', join(directory, 'link'));
  execFileSync('mkfifo', [join(directory, 'fifo')]);
});
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  ['fifo', 'is a FIFO, not a regular file'],
  ['large', 'has 1099511627776 bytes; at most 1000 are read'],
  ['absent', 'cannot be read (ENOENT)'],
  ['.', 'is a directory'],
])('%s is refused before it is opened', (name, reason) => {
  const path = join(directory, name);
  expect(() => readForeignFile(path, { mostBytes: 1000 })).toThrow(`${path} ${reason}`);
});

test('an endless device is refused, and reading a file of /proc, whose size is 0, stops at the limit', () => {
  expect(() => readForeignFile('/dev/zero', { mostBytes: 1000 })).toThrow('is a device');
  expect(() => readForeignFile('/proc/self/mountinfo', { mostBytes: 10 })).toThrow(
    'has more than 10 bytes',
  );
  expect(readForeignText('/proc/self/comm', { mostBytes: 100 })).not.toBe('');
});

test('a link named by the user is followed; a link in a directory made by somebody else is not', () => {
  const path = join(directory, 'link');
  expect(readForeignText(path, { mostBytes: 100 })).toBe('content');
  expect(() => readForeignFile(path, { mostBytes: 100, refuseLinks: true })).toThrow(
    'is a symbolic link',
  );
});
