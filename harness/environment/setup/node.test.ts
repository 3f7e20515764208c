import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startObstacle, unfitReason } from './node.mjs';

const node = (version: string, typescript: string | false = 'strip') => ({
  versions: { node: version },
  features: { typescript },
});

test.each([
  ['18.20.4', false],
  ['24.14.9', false],
  ['24.15.0', true],
  ['25.6.0', false],
  ['25.7.0', true],
  ['26.0.0', true],
])('Node %s is recent enough: %s', (version, isFit) => {
  expect(unfitReason(true, node(version)) === null).toBe(isFit);
});

test('a recent Node without type stripping, as in Debian sid, runs only the compiled program', () => {
  expect(unfitReason(true, node('24.22.0', false))).toMatch(/without type stripping/);
  expect(unfitReason(false, node('24.22.0', false))).toBeNull();
});

/** A program in place of Node that writes this to stderr and ends with a code. */
function program(words: string, code: number, interpreter = '/bin/sh'): string {
  const directory = mkdtempSync(join(tmpdir(), 'node-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'node');
  writeFileSync(path, `#!${interpreter}\necho '${words}' >&2\nexit ${code}\n`, { mode: 0o755 });
  return path;
}

test('a Node that starts has no obstacle', () => {
  expect(startObstacle(process.execPath)).toBeNull();
});

test('a missing library is named with its package', () => {
  const words =
    'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory';
  expect(startObstacle(program(words, 127))).toEqual({
    why: 'it needs libatomic.so.1',
    packages: ['libatomic1'],
  });
});

test('another reason is shown as it is, and no package is promised', () => {
  const words = 'node: /lib/libc.so.6: version GLIBC_2.28 not found (required by node)';
  expect(startObstacle(program(words, 1))).toEqual({ why: words, packages: [] });
  expect(startObstacle(program('', 0, '/lib/ld-musl-none.so.1'))).toEqual({
    why: 'it needs glibc',
    packages: [],
  });
});
