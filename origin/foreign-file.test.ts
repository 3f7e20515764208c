import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreignLines, readForeignFile, readForeignText } from './foreign-file.ts';

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

test('lines are whole across chunks, with characters of several bytes, and the last needs no line feed', () => {
  const path = join(directory, 'lines');
  const lines = ['é'.repeat(200_000), '', '€'.repeat(300_001), 'short', '\uFEFFmark', 'last'];
  const rules = { mostBytes: 4e6, refuseLinks: true };
  for (const end of ['', '\n']) {
    writeFileSync(path, `\uFEFF${lines.join('\n')}${end}`);
    expect([...foreignLines(path, rules)]).toEqual(end === '' ? lines : [...lines, '']);
  }
  expect(() => [...foreignLines(path, { mostBytes: 1000 })]).toThrow('at most 1000 are read');
  expect(() => [...foreignLines(join(directory, 'link'), rules)]).toThrow('is a symbolic link');
  expect(() => [...foreignLines(join(directory, 'fifo'), rules)]).toThrow('is a FIFO');
});

test.each([
  ['gzip', gzipSync('{}'), 'gunzip'],
  ['zstd', zstdCompressSync('{}'), 'unzstd'],
  ['zip', Buffer.from('PK\u0003\u0004'), 'unpack'],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'iconv'],
  ['UTF-16 without a mark', Buffer.from('[]', 'utf16le'), 'iconv'],
  ['big-endian UTF-16', Buffer.from('\uFEFF1.2', 'utf16le').swap16(), 'iconv'],
])('%s is named, with what to do', (_name, bytes, advice) => {
  const path = join(directory, 'no-text');
  writeFileSync(path, bytes);
  expect(() => readForeignText(path, { mostBytes: 1000 })).toThrow(advice);
  expect(() => [...foreignLines(path, { mostBytes: 1000 })]).toThrow(advice);
  expect(readForeignFile(path, { mostBytes: 1000 })).toEqual(bytes);
});

test('a line without an end fills no memory', () => {
  const path = join(directory, 'endless');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
  expect(() => [...foreignLines(path, { mostBytes: 2 ** 41 })]).toThrow(
    /has a line of more than 268435456 bytes/,
  );
});

test('lines are read as they are needed', () => {
  const path = join(directory, 'many');
  writeFileSync(path, `${'x'.repeat(99)}\n`.repeat(10_000));
  const lines = foreignLines(path, { mostBytes: 2e6 });
  expect(lines.next().value).toBe('x'.repeat(99));
  truncateSync(path);
  expect([...lines].length).toBeLessThan(3000);
});
