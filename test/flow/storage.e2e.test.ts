import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pageCachePreparation } from '@cachescope/harness/browser/cold-read.ts';
import { nbdServersIn } from '@cachescope/harness/storage/journal/processes-naming.ts';
import { proveDelay } from '@cachescope/harness/storage/delay-proof.ts';
import { difference } from '@cachescope/harness/storage/device-counters.ts';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import type { SlowDisk } from '@cachescope/harness/storage/disk.ts';
import { isRunning } from '@cachescope/harness/storage/journal/process-identity.ts';
import { leftBehind } from '@cachescope/harness/storage/journal/reaper.ts';
import { pageCacheDrops } from '@cachescope/harness/storage/page-cache-drops.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { tracesOf } from '../disk-traces.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { settledCounters } from '../settled-counters.ts';
import { privilege, skipReason, state } from '../storage-under-test.ts';

/** A slow disk, which a test that fails detaches too. */
async function attach(kind: StorageKind = 'nbd-delay'): Promise<SlowDisk> {
  const disk = await attachStorage({ kind, delayWrites: false, privilege });
  onTestFinished(() => disk.detach());
  return disk;
}

/** Reads a file in direct 4 KiB reads with dd, an independent tool; returns the time including dd's start, ms. */
async function directReads(file: string, count: number, skip = 0): Promise<number> {
  const started = performance.now();
  const blocks = [`count=${count}`, `skip=${skip}`, 'bs=4096', 'iflag=direct', 'status=none'];
  const [code] = await once(spawn('dd', [`if=${file}`, 'of=/dev/null', ...blocks]), 'close');
  expect(code).toBe(0);
  return performance.now() - started;
}

/**
 * Direct reads, the device's count of them, and their duration, ms: of five undisturbed measurements the one with the
 * fewest device reads. When the kernel is short of memory, the device also reads metadata: more reads, never fewer. When
 * another program drops the page cache, the measurement does not count.
 */
async function countedReads(disk: SlowDisk, file: string, count: number) {
  const measured: { counted: DeviceCounts; tookMs: number }[] = [];
  while (measured.length < 5 && measured.every(({ counted }) => counted.reads > count)) {
    const drops = await pageCacheDrops();
    // This writes the file back and loads its block map, which then stays in memory until the page cache is dropped.
    await directReads(file, 1);
    const mark = await settledCounters(disk);
    const tookMs = await directReads(file, count, 10);
    const now = await settledCounters(disk);
    const counted = difference(now, mark);
    expect(counted.reads).toBeGreaterThanOrEqual(count);
    if ((await pageCacheDrops()) === drops) measured.push({ counted, tookMs });
  }
  const [fewest] = measured.toSorted((one, other) => one.counted.reads - other.counted.reads);
  return fewest!;
}

/**
 * The device reads for a file after `evict` has evicted it. Repeated when another program dropped the page cache
 * meanwhile.
 */
async function readsOf(disk: SlowDisk, file: string, evict: () => Promise<unknown>) {
  for (;;) {
    await evict();
    const drops = await pageCacheDrops();
    const mark = await settledCounters(disk);
    readFileSync(file);
    const isUndisturbed = (await pageCacheDrops()) === drops;
    if (isUndisturbed) return difference(await settledCounters(disk), mark);
  }
}

/** The first proof that no other work on this computer disturbed: such work makes reads longer, never shorter. */
async function calmProof(disk: SlowDisk, requestedDelayMs: number): Promise<DelayProof> {
  const request = { requestedDelayMs, when: 'before', reads: 5, throughput: true } as const;
  const undisturbed = async () => {
    const proof = await proveDelay(disk, request);
    expect(proof?.p50Ms).toBeGreaterThanOrEqual(requestedDelayMs);
    return proof?.off === false && proof;
  };
  return vi.waitUntil(undisturbed, { timeout: hangLimitMs, interval: 0 });
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

describe.skipIf(skipReason !== null)('nbd-live', () => {
  test('evicting the cached pages of one device has the same effect as dropping the whole page cache', async () => {
    const disk = await attach('nbd-live');
    const cacheDirectory = join(disk.directory, 'cache', 'Default');
    mkdirSync(cacheDirectory, { recursive: true });
    const file = join(cacheDirectory, 'entry');
    const neighbour = join(cacheDirectory, 'neighbour');
    writeFileSync(file, randomBytes(500_000));
    writeFileSync(neighbour, randomBytes(5000));
    const evict = pageCachePreparation({ disk, launch: { cacheDirectory } }, 'cold', privilege);
    // The first eviction drops the whole page cache.
    const cold = await readsOf(disk, file, evict);
    expect(cold.readBytes).toBeGreaterThan(500_000);
    for (let round = 0; round < 5; round++) expect(await readsOf(disk, file, evict)).toEqual(cold);
    const keep = async () => void readFileSync(file);
    expect((await readsOf(disk, file, keep)).reads).toBe(0);
    // The file keeps its pages, and nothing in memory leads to them.
    const evictAfterOthers = async () => {
      await privilege.run(['sysctl', '--quiet', 'vm.drop_caches=2']);
      readFileSync(neighbour);
      await evict();
    };
    expect(await readsOf(disk, file, evictAfterOthers)).toEqual(cold);
    await disk.detach();
  });

  test('delays change under open files, in fractions of a ms, and concurrent reads wait in parallel', async () => {
    const disk = await attach('nbd-live');
    const workDirectory = dirname(disk.directory);
    const file = join(disk.directory, 'cachescope-probe');
    const open = openSync(file, 'r');
    for (const delayMs of [20, 0.5, 20]) {
      await disk.setDelay(delayMs);
      const request = { requestedDelayMs: delayMs, when: 'before', reads: 5 } as const;
      // Other work on this computer makes reads longer; the time that the layers above add is subtracted.
      const isKept = async () => {
        const proof = await proveDelay(disk, { ...request, throughput: false });
        expect(proof?.p50Ms).toBeGreaterThan(delayMs - 0.2);
        return proof?.off === false;
      };
      await vi.waitUntil(isKept, { timeout: hangLimitMs, interval: 0 });
      const { counted } = await countedReads(disk, file, 20);
      expect(counted).toMatchObject({ reads: 20, readBytes: 20 * 4096 });
    }
    const alone = await directReads(file, 50);
    const readers = Array.from({ length: 8 }, (_, at) => directReads(file, 50, at * 100));
    // In sequence they would take eight times as long.
    expect(Math.max(...(await Promise.all(readers)))).toBeLessThan(6 * alone);
    closeSync(open);
    const servers = nbdServersIn(workDirectory);
    expect(servers).toHaveLength(2);
    await disk.detach();
    expect(tracesOf(workDirectory, servers)).toEqual([]);
  });
});

describe.skipIf(skipReason !== null)('nbd-delay', () => {
  test('each delay is as requested, the counters are exact, and contents are preserved', async () => {
    const disk = await attach();
    const workDirectory = dirname(disk.directory);
    try {
      const file = join(disk.directory, 'kept');
      writeFileSync(file, randomBytes(400 * 1024));
      const before = sha256(file);
      for (const delayMs of [0, 5, 20]) {
        await disk.setDelay(delayMs);
        expect(sha256(file)).toBe(before);

        const proof = await calmProof(disk, delayMs);
        expect(proof.storage).toBe('nbd-delay');
        expect(proof.p50Ms).toBeLessThan(delayMs * 1.2 + 1);

        const { counted, tookMs } = await countedReads(disk, file, 20);
        expect(counted).toMatchObject({ reads: 20, readBytes: 20 * 4096 });
        expect(tookMs).toBeGreaterThan(20 * delayMs);
      }
    } finally {
      const servers = nbdServersIn(workDirectory);
      expect(servers).toHaveLength(2);
      await disk.detach();
      expect(tracesOf(workDirectory, servers)).toEqual([]);
    }
    await disk.detach();
    expect(leftBehind()).toEqual([]);
    expect(readdirSync(join(state, 'cachescope', 'storage'))).toEqual([]);
  });

  test('concurrent reads wait in parallel', async () => {
    const disk = await attach();
    try {
      const file = join(disk.directory, 'cachescope-probe');
      await disk.setDelay(20);
      const alone = await directReads(file, 50);
      const readers = Array.from({ length: 8 }, (_, at) => directReads(file, 50, at * 100));
      const together = await Promise.all(readers);
      expect(alone).toBeGreaterThan(50 * 20);
      // In sequence they would take eight times as long.
      expect(Math.max(...together)).toBeLessThan(6 * alone);
    } finally {
      await disk.detach();
    }
  });

  test('an open file prevents a change of the delay: the error says what to do, and nothing is lost', async () => {
    const disk = await attach();
    const workDirectory = dirname(disk.directory);
    const file = join(disk.directory, 'open');
    const open = openSync(file, 'w');
    const failure = disk.setDelay(5);
    await expect(failure).rejects.toMatchObject({
      code: 'CS_STORAGE_BUSY',
      message: expect.stringContaining(`(pid ${process.pid})`),
    });
    writeFileSync(join(disk.directory, 'other'), 'the disk can still be used');
    closeSync(open);
    await disk.setDelay(5);
    expect(existsSync(file)).toBe(true);
    await disk.detach();
    expect(tracesOf(workDirectory, [])).toEqual([]);
    await expect(disk.setDelay(7)).rejects.toMatchObject({ code: 'CS_STORAGE_GONE' });
  });

  // nbdfuse is the newer one.
  test.each([
    ['nbdkit', 0],
    ['nbdfuse', 1],
  ])(
    'when %s is killed, reads fail with a reason and the disk can still be detached',
    async (_, place) => {
      const disk = await attach();
      const workDirectory = dirname(disk.directory);
      const servers = nbdServersIn(workDirectory);
      const victim = servers.toSorted((a, b) => a.startTime - b.startTime || a.pid - b.pid)[place];
      if (!victim) throw new Error('a server is missing');
      await privilege.run(['kill', '-s', 'KILL', `${victim.pid}`]);
      await vi.waitUntil(() => !isRunning(victim), { timeout: hangLimitMs, interval: 5 });
      const request = { requestedDelayMs: 0, when: 'before', reads: 1, throughput: false } as const;
      await expect(proveDelay(disk, request)).rejects.toMatchObject({ code: 'CS_STORAGE_READ' });
      await disk.detach();
      expect(tracesOf(workDirectory, servers)).toEqual([]);
    },
  );
});
