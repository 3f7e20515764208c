import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  makeDirectories,
  makeOutputDirectory,
  requireOwnDirectory,
  writeOutput,
} from './output-file.ts';

let directory = '';
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'output-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('a symbolic link at the path of an output is replaced, and its target is unchanged', () => {
  const target = join(directory, 'target');
  const output = join(directory, 'report.html');
  writeFileSync(target, 'precious');
  symlinkSync(target, output);
  writeOutput(output, 'ours');
  expect(readFileSync(target, 'utf8')).toBe('precious');
  expect(readFileSync(output, 'utf8')).toBe('ours');
  expect(statSync(output).mode & 0o777).toBe(0o600);
});

test('a failed write keeps the previous file and leaves no temporary file', () => {
  writeOutput(join(directory, 'name'), 'former');
  const long = 'x'.repeat(300);
  expect(() => writeOutput(join(directory, long), 'text')).toThrow('ENAMETOOLONG');
  const taken = join(directory, 'taken');
  mkdirSync(taken);
  expect(() => writeOutput(taken, 'text')).toThrow();
  expect(readdirSync(directory).toSorted()).toEqual(['name', 'taken']);
});

test('a text report cannot steer a terminal; other files are written as they are', () => {
  for (const name of ['report.txt', 'data.json'])
    writeOutput(join(directory, name), 'a\u001b[2J\n');
  expect(readFileSync(join(directory, 'report.txt'), 'utf8')).toBe(String.raw`a\u{1b}[2J` + '\n');
  expect(readFileSync(join(directory, 'data.json'), 'utf8')).toBe('a\u001b[2J\n');
});

test('a link at the path of an output directory is refused', () => {
  symlinkSync('/tmp', join(directory, 'charts'));
  expect(() => makeOutputDirectory(join(directory, 'charts'))).toThrow('is a symbolic link');
  mkdirSync(join(directory, 'traces'));
  const user = vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
  onTestFinished(() => user.mockRestore());
  expect(() => makeOutputDirectory(join(directory, 'traces'))).toThrow('belongs to user');
});

test("another user's directory is refused", () => {
  expect(() => requireOwnDirectory(directory, '')).not.toThrow();
  const user = vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
  onTestFinished(() => user.mockRestore());
  expect(() => requireOwnDirectory(directory, 'Name another')).toThrow('belongs to user');
});

test('a directory that cannot be created is refused, and does not hang', () => {
  expect(() => makeDirectories('/proc/no/such')).toThrow(/ENOENT.*\/proc\/no/);
  writeFileSync(join(directory, 'file'), '');
  expect(() => makeDirectories(join(directory, 'file/below'))).toThrow(/ENOTDIR|EEXIST/);
  makeDirectories(join(directory, 'a/b'), 0o700);
  makeDirectories(join(directory, 'a/b'), 0o700);
  expect(statSync(join(directory, 'a/b')).mode & 0o777).toBe(0o700);
});
