import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptPackage } from './kept-package.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kept-package-test-'));
  vi.stubEnv('XDG_CACHE_HOME', join(directory, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** An npm that ends with a code and has written these files below its --prefix. */
function npm(code: number, ...files: string[]): void {
  const program = [
    `#!${process.execPath}`,
    "const { mkdirSync, writeFileSync } = require('node:fs');",
    "const { dirname, join } = require('node:path');",
    "const prefix = process.argv[process.argv.indexOf('--prefix') + 1];",
    `for (const file of ${JSON.stringify(files)}) {`,
    "  const path = join(prefix, 'node_modules', file);",
    '  mkdirSync(dirname(path), { recursive: true });',
    "  writeFileSync(path, '');",
    '}',
    `process.exit(${code});`,
  ];
  writeFileSync(join(directory, 'npm'), program.join('\n'), { mode: 0o755 });
  vi.stubEnv('PATH', directory);
}

const parts = ['@x/api/index.js', '@x/native/x.node'];
const kept = () =>
  keptPackage('@x/api', '1.0.0', (modules) =>
    parts.every((part) => existsSync(join(modules, part))),
  );
const names = () => readdirSync(join(directory, 'cache/cachescope'));

test('a package is fetched once, with all that it needs', () => {
  npm(0, ...parts);
  expect(kept().isThere()).toBe(false);
  expect(kept().fetch()).toBe(true);
  expect(kept().isThere()).toBe(true);
  expect(names()).toEqual([`@x-api-1.0.0-${process.arch}`]);
});

test.each([
  ['npm fails', 1, []],
  ['npm leaves out an optional package that it could not fetch', 0, ['@x/api/index.js']],
])('where %s, nothing is kept, and the next fetch succeeds', (_, code, files) => {
  npm(code, ...files);
  expect(kept().fetch()).toBe(false);
  expect(names()).toEqual([]);
  npm(0, ...parts);
  expect(kept().fetch()).toBe(true);
});

test('what is there in part, because the user ended npm, is replaced', () => {
  const half = join(kept().modules, '@x/api/index.js');
  mkdirSync(dirname(half), { recursive: true });
  writeFileSync(half, '');
  npm(0, ...parts);
  expect(kept().fetch()).toBe(true);
});

test('without npm there is nothing', () => {
  vi.stubEnv('PATH', directory);
  expect(kept().fetch()).toBe(false);
});

test('the command to type fetches the same into the same folder', () => {
  const { command, folder } = kept();
  expect(command.slice(-3)).toEqual(['--prefix', folder, '@x/api@1.0.0']);
});
