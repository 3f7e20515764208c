import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeProblems } from './disk-places.ts';

let directory = '';
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'places-test-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('an image is a new file in an existing directory', () => {
  const existing = join(directory, 'mine.img');
  writeFileSync(existing, 'precious');
  const link = join(directory, 'link');
  symlinkSync('/dev/null', link);
  const problem = (imagePath: string) => placeProblems({ imagePath }).join();
  expect(problem(join(directory, 'new.img'))).toBe('');
  expect(problem(existing)).toMatch(/exists; it must be a new file/);
  expect(problem('/dev/null')).toMatch(/is a device/);
  expect(problem(link)).toMatch(/is a device/);
  expect(problem('/dev/null/new.img')).toMatch(/\/dev\/null is not a directory/);
  expect(problem('/proc/new.img')).toMatch(/nothing can be kept in \/proc/);
  expect(problem('/sys/block/new.img')).toMatch(/nothing can be kept in/);
  expect(problem(join(directory, 'none/new.img'))).toMatch(/none, which does not exist/);
});

test('a mount point is an empty directory where nothing is mounted', () => {
  const problem = (mountPoint: string) => placeProblems({ mountPoint }).join();
  mkdirSync(join(directory, 'empty'));
  writeFileSync(join(directory, 'file'), '');
  expect(problem(join(directory, 'empty'))).toBe('');
  expect(problem('/proc')).toMatch(/is in use/);
  const link = join(directory, 'link');
  symlinkSync('/proc', link);
  expect(problem(link)).toMatch(/the mount point \/proc is in use/);
  expect(problem(directory)).toMatch(/is not empty/);
  expect(problem(join(directory, 'file'))).toMatch(/is not a directory/);
  expect(problem(join(directory, 'none'))).toMatch(/does not exist/);
});

test('both problems are reported at once; nothing is reported when no place is named', () => {
  expect(placeProblems({ imagePath: '/dev/null', mountPoint: '/proc' })).toHaveLength(2);
  expect(placeProblems({})).toEqual([]);
});
