import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { awaitCacheIo, countEntries } from './cache-io.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-'));
});
afterEach(() => rm(directory, { recursive: true }));

const options = { restMs: 25, checkEveryMs: 4, limitMs: 10_000 };
const noDevice = () => Promise.resolve(null);
const counts = (writes: number): DeviceCounts => ({
  reads: 0,
  readBytes: 0,
  writes,
  writtenBytes: 0,
});

// Files and counters change at each look, so the tests do not depend on how long this machine sleeps between two looks.

test('it waits until the files are unchanged for the set time', async () => {
  await mkdir(join(directory, 'below'));
  let looks = 0;
  const counters = async () => {
    if (looks++ < 8) await appendFile(join(directory, 'below', 'entry'), 'more');
    return null;
  };
  const waitedMs = await awaitCacheIo({ directories: [directory], counters }, options);
  expect(looks).toBeGreaterThan(9);
  expect(waitedMs).toBeGreaterThanOrEqual(25);
});

test('a device that still writes is not quiet, even when all files are', async () => {
  let looks = 0;
  const counters = () => Promise.resolve(counts(Math.min(8, looks++)));
  await awaitCacheIo({ directories: [directory], counters }, options);
  expect(looks).toBeGreaterThan(9);
});

test('changes that never stop are reported', async () => {
  let writes = 0;
  const counters = () => Promise.resolve(counts(writes++));
  const waiting = awaitCacheIo({ directories: [directory], counters }, { ...options, limitMs: 60 });
  await expect(waiting).rejects.toMatchObject({ code: 'CS_MICRO_RESTLESS' });
});

test('a directory that does not exist is quiet', async () => {
  const place = { directories: [join(directory, 'nowhere')], counters: noDevice };
  expect(await awaitCacheIo(place, options)).toBeGreaterThanOrEqual(25);
});

async function cacheData(index: Buffer): Promise<string> {
  const data = join(directory, 'Default', 'Cache', 'Cache_Data');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'index'), index);
  return data;
}

test('entries are counted by files in simple, by the index in blockfile, and not at all in sql', async () => {
  expect(await countEntries(directory)).toBeNull();
  const data = await cacheData(Buffer.from('305c72a71b6dfbfc', 'hex'));
  const names = ['0dddec3f88e1eaaf_0', '20f3a89fccb202c9_0', '20f3a89fccb202c9_s', 'todelete_1'];
  await Promise.all(names.map((name) => writeFile(join(data, name), '')));
  expect(await countEntries(directory)).toBe(2);
  // The start of an index with 5,000 entries, written by Chromium 156; the rest of the header is not read here.
  await cacheData(Buffer.from('c3ca03c10000030088130000'.padEnd(112, '0'), 'hex'));
  expect(await countEntries(directory)).toBe(5000);
  await cacheData(Buffer.from('SQLCacheTruncate3'));
  expect(await countEntries(directory)).toBeNull();
});
