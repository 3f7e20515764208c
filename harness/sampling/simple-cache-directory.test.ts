import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blockfileOccupancy, sqlOccupancy, unknownOccupancy } from './cache-occupancy.ts';
import { httpCacheKey, simpleCacheHash, SimpleCacheDirectory } from './simple-cache-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cachescope-folder-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** An entry's file of this many bytes, with this time of writing in ms since 1970. */
function entry(hash: string, bytes: number, writtenAt: number): void {
  const path = join(directory, `${hash}_0`);
  writeFileSync(path, Buffer.alloc(bytes));
  utimesSync(path, writtenAt / 1000, writtenAt / 1000);
}

const [a, b, c] = ['00b9bd4aacb164bf', '0225a6aa8e1a7a21', 'ffffffffffffffff'] as const;

test('the hash of a key is the name of its file, as in Chromium 156', () => {
  const key = httpCacheKey('http://127.0.0.1', 'https://localhost:40907/load/1024?key=67');
  expect(key).toBe(
    '1/0/_dk_http://127.0.0.1 http://127.0.0.1 https://localhost:40907/load/1024?key=67',
  );
  expect(simpleCacheHash(key)).toBe('00b9bd4aacb164bf');
  expect(simpleCacheHash(key.replace('67', '87'))).toBe('0225a6aa8e1a7a21');
});

test('entries, their bytes and removed entries are reported; other files are not counted', () => {
  let now = 10_000;
  const folder = new SimpleCacheDirectory(directory, () => now);
  entry(a, 100, 1000);
  entry(b, 50, 2000);
  mkdirSync(join(directory, 'index-dir'));
  writeFileSync(join(directory, 'index'), 'x');
  writeFileSync(join(directory, `todelete_${c}_0_1`), 'x');
  const first = folder.sample();
  expect([...first.entries.keys()].toSorted()).toEqual([a, b]);
  expect(first).toMatchObject({ takenAt: 10_000, bytes: 150, gone: [] });
  rmSync(join(directory, `${a}_0`));
  entry(c, 7, 10_500);
  now = 12_000;
  const second = folder.sample();
  expect([...second.entries.keys()].toSorted()).toEqual([b, c]);
  expect(second.bytes).toBe(57);
  expect(second.gone).toMatchObject([[a, { bytes: 100, writtenAt: 1000 }]]);
  expect(folder.sample().gone).toEqual([]);
});

test('a file that is still being written is read again until it is complete', () => {
  let now = 5_000;
  const folder = new SimpleCacheDirectory(directory, () => now);
  entry(a, 10, 4_900);
  expect(folder.sample().bytes).toBe(10);
  entry(a, 200, 5_100);
  now = 6_000;
  expect(folder.sample().bytes).toBe(200);
  now = 7_000;
  expect(folder.sample().bytes).toBe(200);
  // The file is complete and not read again: a change now would come from another writer.
  entry(a, 1, 5_200);
  now = 8_000;
  expect(folder.sample().bytes).toBe(200);
});

test('a missing folder is empty', () => {
  expect(new SimpleCacheDirectory(join(directory, 'none')).sample()).toMatchObject({
    bytes: 0,
    gone: [],
  });
  expect(blockfileOccupancy(join(directory, 'none'))).toEqual(unknownOccupancy);
  expect(sqlOccupancy(join(directory, 'none'))).toEqual(unknownOccupancy);
});

test('the index of blockfile contains entries and bytes', () => {
  // Written by Chromium 156 after 300 entries of 1 KB.
  const header = Buffer.from(
    'c3ca03c1000003002c010000000000000000000001000000000001a100000800' +
      '01000000000000005a5e8d1163bf2f007a72080000000000',
    'hex',
  );
  writeFileSync(join(directory, 'index'), header);
  expect(blockfileOccupancy(directory)).toEqual({ entries: 300, bytes: 553_594 });
  writeFileSync(join(directory, 'index'), header.subarray(0, 30));
  expect(blockfileOccupancy(directory)).toEqual(unknownOccupancy);
});

test('the bytes of sql are those of its databases; its entries are unknown', () => {
  writeFileSync(join(directory, 'sqldb0'), Buffer.alloc(4096));
  writeFileSync(join(directory, 'sqldb1'), Buffer.alloc(8192));
  writeFileSync(join(directory, 'index'), 'SQLCache');
  expect(sqlOccupancy(directory)).toEqual({ entries: null, bytes: 12_288 });
});
