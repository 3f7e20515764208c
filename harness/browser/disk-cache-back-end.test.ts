import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskCacheBackEndOf, diskCacheFlags } from './disk-cache-back-end.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function withIndex(hex: string): Promise<void> {
  const data = join(directory, 'Default', 'Cache', 'Cache_Data');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'index'), Buffer.from(hex, 'hex'));
}

// First bytes of files that Chromium 156 wrote.
test.each([
  ['simple', '305c72a71b6dfbfc09000000000000000000000000000000'],
  ['blockfile', 'c3ca03c10000030016000000000000001500000001000000'],
  ['sql', '53514c43616368655472756e6361746533'],
])('recognises %s by its index', async (backEnd, hex) => {
  await withIndex(hex);
  expect(await diskCacheBackEndOf(directory)).toBe(backEnd);
});

test.each([
  ['no cache', null],
  ['an empty index', ''],
  ['an index cut short', 'c3ca'],
  ['an index of another kind', '00112233445566778899'],
])('returns null for %s', async (_what, hex) => {
  if (hex !== null) await withIndex(hex);
  expect(await diskCacheBackEndOf(directory)).toBeNull();
});

test('every back end has its own switch', () => {
  expect(new Set(diskCacheBackEnds.flatMap((name) => diskCacheFlags(name))).size).toBe(
    diskCacheBackEnds.length,
  );
});
