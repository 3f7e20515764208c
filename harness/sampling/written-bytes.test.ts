import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writtenBytes } from './written-bytes.ts';

// On the disk of this checkout: a file in memory is written to no device.
const directory = mkdtempSync(join(import.meta.dirname, 'written-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('what a process writes is counted at once; a process that is gone is unknown', () => {
  const before = writtenBytes(process.pid);
  const file = openSync(join(directory, 'file'), 'w');
  writeSync(file, Buffer.alloc(1_000_000));
  closeSync(file);
  const after = writtenBytes(process.pid);
  if (before === null || after === null) throw new Error('this kernel does not count');
  expect(after - before).toBeGreaterThanOrEqual(1_000_000);
  expect(writtenBytes(2 ** 30)).toBeNull();
});
