import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { pageCachePreparation } from '@cachescope/harness/browser/cold-read.ts';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { proveDelay } from '@cachescope/harness/storage/delay-proof.ts';
import { difference } from '@cachescope/harness/storage/device-counters.ts';
import { nbdServersIn } from '@cachescope/harness/storage/back-ends/nbd-servers.ts';
import { pageCacheDrops } from '@cachescope/harness/storage/page-cache-drops.ts';
import {
  isRunning,
  type ProcessIdentity,
} from '@cachescope/harness/storage/journal/process-identity.ts';
import { leftBehind, reap } from '@cachescope/harness/storage/journal/reaper.ts';
import type { SlowDisk } from '@cachescope/harness/storage/disk.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hangLimitMs } from '../hang-limit.ts';
import { settledCounters } from '../settled-counters.ts';
import { whatSlowStorageLacks } from '../slow-storage-need.ts';

const privilege = createPrivilege({ dryRun: false, say: () => undefined });

/** Why this machine cannot run slow storage; null when it can. */
const skipReason = await whatSlowStorageLacks();
if (skipReason) process.stderr.write(`Tests of storage are skipped: ${skipReason}\n`);

/** Holds only the journals of this file's tests. */
const state = mkdtempSync(join(tmpdir(), 'storage-e2e-'));
process.env['XDG_STATE_HOME'] = state;
afterAll(() => rmSync(state, { recursive: true }));

/** Traces of a disk in the system's own tools: mounts, loop devices, processes, files. */
function tracesOf(workDirectory: string, servers: readonly ProcessIdentity[]): string[] {
  const mounts = execFileSync('findmnt', ['-rn', '-o', 'TARGET'], { encoding: 'utf8' });
  const loops = execFileSync('losetup', ['--list', '--noheadings'], { encoding: 'utf8' });
  const shown = [...mounts.split('\n'), ...loops.split('\n')];
  return [
    ...shown.filter((line) => line.includes(workDirectory)),
    ...servers.filter(isRunning).map(({ pid }) => `process ${pid}`),
    ...(existsSync(workDirectory) ? [workDirectory] : []),
  ];
}

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
 * Direct reads, the device's count of them, and their duration, ms. When another program drops the page cache, or the
 * kernel is short of memory, the device also reads metadata: more reads, never fewer. Such a measurement is repeated.
 */
async function countedReads(disk: SlowDisk, file: string, count: number) {
  for (;;) {
    const drops = await pageCacheDrops();
    // This writes the file back and loads its block map, which then stays in memory until the page cache is dropped.
    await directReads(file, 1);
    const mark = await settledCounters(disk);
    const tookMs = await directReads(file, count, 10);
    const now = await settledCounters(disk);
    const counted = difference(now, mark);
    expect(counted.reads).toBeGreaterThanOrEqual(count);
    const isUndisturbed = (await pageCacheDrops()) === drops && counted.reads === count;
    if (isUndisturbed) return { counted, tookMs };
  }
}

/**
 * The device reads for a file after `evict` has evicted it. Repeated when another program dropped the page cache
 * meanwhile.
 */
async function readsOf(disk: SlowDisk, file: string, evict: () => Promise<unknown>) {
  for (;;) {
    await evict();
    const mark = await settledCounters(disk);
    const drops = await pageCacheDrops();
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
    writeFileSync(file, randomBytes(500_000));
    const evict = pageCachePreparation({ disk, launch: { cacheDirectory } }, 'cold', privilege);
    // The first eviction drops the whole page cache.
    const cold = await readsOf(disk, file, evict);
    expect(cold.readBytes).toBeGreaterThan(500_000);
    for (let round = 0; round < 5; round++) expect(await readsOf(disk, file, evict)).toEqual(cold);
    expect((await readsOf(disk, file, async () => undefined)).reads).toBe(0);
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

/** Things that the journals list as about to be created; the first is the work directory. */
function recorded(): string[] {
  const journals = join(state, 'cachescope', 'storage');
  // A draft can be renamed or removed at any moment.
  const names = readdirSync(journals).filter((name) => !name.endsWith('.draft'));
  const texts = names.map((name) => readFileSync(join(journals, name), 'utf8'));
  return texts.flatMap((text) => text.split('\n').filter((line) => line.includes('"make"')));
}

describe.skipIf(skipReason !== null)(
  'a SIGKILL between a journal entry and the creation of the thing',
  () => {
    test.for([1, 2, 3, 4])('entry %i: the next start removes everything', async (entries) => {
      const fixture = join(import.meta.dirname, '../attach-and-wait.ts');
      const child = spawn(process.execPath, [fixture], { stdio: ['ignore', 'ignore', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const isRecorded = () => recorded().length >= entries;
      await vi.waitUntil(isRecorded, { interval: 1, timeout: hangLimitMs });
      child.kill('SIGKILL');
      await once(child, 'close');
      const [, workDirectory = ''] = /"path":"([^"]+)"/.exec(recorded()[0] ?? '') ?? [];
      expect(workDirectory).toContain('cachescope-disk-');
      const said: string[] = [];
      const failures = await reap(privilege, (line) => said.push(line));
      expect(failures, said.join('\n')).toBe(0);
      expect(tracesOf(workDirectory, nbdServersIn(workDirectory))).toEqual([]);
      expect(recorded()).toEqual([]);
    });
  },
);

describe.skipIf(skipReason !== null)('after a SIGKILL', () => {
  let child: ChildProcess;
  let directory = '';
  let servers: ProcessIdentity[] = [];
  let foreignLoop = '';

  beforeAll(async () => {
    const foreignFile = join(state, 'foreign.img');
    writeFileSync(foreignFile, '');
    truncateSync(foreignFile, 1024 * 1024);
    foreignLoop = (await privilege.run(['losetup', '--find', '--show', foreignFile])).trim();

    const fixture = join(import.meta.dirname, '../attach-and-wait.ts');
    child = spawn(process.execPath, [fixture], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    directory = line.toString().trim();
    servers = nbdServersIn(dirname(directory));
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await reap(privilege, () => undefined);
    await privilege.run(['losetup', '-d', foreignLoop]);
  });

  test('things created by a running program are left alone', async () => {
    await reap(privilege, () => undefined);
    expect(existsSync(join(directory, 'cachescope-probe'))).toBe(true);
  });

  test('the next start removes everything that the killed program left, and nothing else', async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
    const left = tracesOf(dirname(directory), servers);
    // Two mounts, a loop device, nbdfuse, nbdkit, the directory: all are left after the SIGKILL.
    expect(left).toHaveLength(6);

    const said: string[] = [];
    await reap(privilege, (line) => said.push(line));
    expect(said).toEqual([expect.stringContaining(`process ${child.pid} left behind`)]);
    expect(tracesOf(dirname(directory), servers)).toEqual([]);
    expect(leftBehind()).toEqual([]);
    const loops = execFileSync('losetup', ['--list', '--noheadings'], { encoding: 'utf8' });
    expect(loops).toContain(foreignLoop);

    await reap(privilege, (line) => said.push(line));
    expect(said).toHaveLength(1);
  });
});
