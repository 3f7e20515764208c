import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackages } from '@cachescope/harness/environment/packages.ts';
import { messageOf } from '@cachescope/harness/error.ts';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { proveDelay } from '@cachescope/harness/storage/delay-proof.ts';
import { difference } from '@cachescope/harness/storage/device-counters.ts';
import type { DiskOptions } from '@cachescope/harness/storage/device-properties.ts';
import type { SlowDisk, StorageOptions } from '@cachescope/harness/storage/disk.ts';
import { nbdDelay } from '@cachescope/harness/storage/back-ends/nbd-delay.ts';
import { pageCacheDrops } from '@cachescope/harness/storage/page-cache-drops.ts';
import {
  attachStorage,
  missingPackages,
  requireStorage,
} from '@cachescope/harness/storage/storage.ts';
import { fileSystems } from '@cachescope/model/run/variant.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hangLimitMs } from '../hang-limit.ts';
import { settledCounters } from '../settled-counters.ts';
import { whatSlowStorageLacks } from '../slow-storage-need.ts';

const lacking = await whatSlowStorageLacks();
if (lacking) console.warn(`Properties of slow storage are not tested: ${lacking}`);
const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const blockBytes = 4096;
const kinds = ['nbd-delay', 'nbd-live'] as const;

let state = '';
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'storage-properties-'));
  process.env['XDG_STATE_HOME'] = state;
});
afterAll(() => rmSync(state, { recursive: true }));

/** Calls `work` with a disk, and detaches the disk. */
async function withDisk<Value>(
  options: Partial<StorageOptions>,
  work: (disk: SlowDisk) => Promise<Value>,
): Promise<Value> {
  const disk = await attachStorage({
    kind: 'nbd-delay',
    delayWrites: false,
    privilege,
    ...options,
  });
  try {
    return await work(disk);
  } finally {
    await disk.detach();
  }
}

/** Duration of ten direct requests by dd, an independent tool, including its start; ms. */
function dd(...operands: string[]): number {
  const started = performance.now();
  execFileSync('dd', [`bs=${blockBytes}`, 'count=10', 'status=none', ...operands]);
  return performance.now() - started;
}

/**
 * Waits until a measurement is fast enough once: other work on this computer makes it longer, never shorter, so once is
 * proof.
 */
async function once(isQuick: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isQuick, { timeout: hangLimitMs });
}

describe.skipIf(lacking !== null)('a slow disk', () => {
  test.each(kinds)('%s: writes have their own delay, independent of the read delay', (kind) =>
    withDisk({ kind, writeDelayMs: 20 }, async (disk) => {
      const probe = join(disk.directory, 'cachescope-probe');
      const readMs = () => dd(`if=${probe}`, 'of=/dev/null', 'iflag=direct');
      const writeMs = () => dd('if=/dev/zero', `of=${probe}`, 'oflag=direct', 'conv=notrunc');
      expect(writeMs()).toBeGreaterThan(10 * 19.8);
      await once(() => readMs() < 10 * 20);
      await disk.setDelay(40);
      expect(readMs()).toBeGreaterThan(10 * 39.8);
      expect(writeMs()).toBeGreaterThan(10 * 19.8);
      await once(() => writeMs() < 10 * 40);
    }),
  );

  test.each(kinds)('%s: the bandwidth limit holds, also for a megabyte after a pause', (kind) =>
    withDisk({ kind, bandwidthBytesPerSecond: 10e6 }, async (disk) => {
      const request = { requestedDelayMs: 0, when: 'before', reads: 1, throughput: true } as const;
      const isReached = async () => {
        // The pause under test; a longer one changes nothing.
        await sleep(500);
        const bytesPerSecond = (await proveDelay(disk, request))?.throughputBytesPerSecond;
        // A burst of 64 KiB of the ten megabytes is allowed.
        expect(bytesPerSecond).toBeLessThan(10.2e6);
        return Number(bytesPerSecond) > 5e6;
      };
      await once(isReached);
    }),
  );

  test('a delay with a fraction of a ms is exact where nbdkit supports it, and refused elsewhere', () =>
    withDisk({}, async (disk) => {
      const [problem] = await nbdDelay.problems({ delayWrites: false }, 2.5, privilege);
      if (problem === undefined) {
        await disk.setDelay(2.5);
        expect(
          dd(`if=${join(disk.directory, 'cachescope-probe')}`, 'of=/dev/null', 'iflag=direct'),
        ).toBeGreaterThanOrEqual(10 * 2.5);
        return;
      }
      expect(problem).toMatch(/^the delay is 2\.5 ms; this nbdkit counts delays in whole ms/);
      const refused = { code: 'CS_STORAGE_DELAY', message: problem, exitCode: 2 };
      await expect(disk.setDelay(2.5)).rejects.toMatchObject(refused);
      const options = { kind: 'nbd-delay', delayWrites: false, privilege } as const;
      await expect(requireStorage(options, [1, 2.5])).rejects.toMatchObject({
        ...refused,
        code: 'CS_STORAGE_OPTIONS',
      });
    }));

  test.each(kinds)(
    '%s: bad reads fail at the requested rate, can be changed live, and never return wrong bytes',
    (kind) =>
      withDisk({ kind, badReadRate: 0.3 }, async (disk) => {
        const path = join(disk.directory, 'content');
        const content = randomBytes(400 * blockBytes);
        writeFileSync(path, content);
        execFileSync('sync', ['-f', path]);
        const file = openSync(path, constants.O_RDONLY | constants.O_DIRECT);
        const buffer = Buffer.from(new ArrayBuffer(blockBytes, { maxByteLength: blockBytes }));
        const failures = () => {
          let failed = 0;
          for (let block = 0; block < 400; block++) {
            try {
              readSync(file, buffer, 0, blockBytes, block * blockBytes);
              const at = block * blockBytes;
              expect(buffer.equals(content.subarray(at, at + blockBytes))).toBe(true);
            } catch (error) {
              expect(error).toMatchObject({ code: 'EIO' });
              failed++;
            }
          }
          return failed;
        };
        expect(failures()).toBe(0);
        await disk.setBadReadRate?.(0.3);
        // 120 of 400, within five standard deviations.
        const failed = failures();
        expect(failed).toBeGreaterThan(74);
        expect(failed).toBeLessThan(166);
        await disk.setBadReadRate?.(0);
        expect(failures()).toBe(0);
        await expect(disk.setBadReadRate?.(0.5)).rejects.toMatchObject({
          code: 'CS_STORAGE_BAD_READS',
        });
        closeSync(file);
      }),
  );

  test.for(fileSystems)(
    '%s: read-ahead is as requested, and all cold reads take the same number of device reads',
    async (fileSystem, { skip }) => {
      const missing = missingPackages('nbd-delay', [fileSystem]);
      await installPackages(missing, `the test of ${fileSystem}`, privilege, console.warn).catch(
        (error: unknown) => {
          console.warn(`${fileSystem} is not tested: ${messageOf(error)}`);
          skip();
        },
      );
      const reads = await withDisk({ fileSystem, readAheadKiB: 64 }, coldReads);
      expect(new Set(reads).size).toBe(1);
      // 64 KiB at a time, not the whole file at once.
      expect(reads[0]).toBeGreaterThanOrEqual(8);
      expect(reads[0]).toBeLessThan(40);
    },
  );

  /** Device reads of one file read cold in 4 KiB steps, five times, with another file written in between. */
  async function coldReads(disk: SlowDisk): Promise<number[]> {
    expect(disk.readAheadKiB).toBe(64);
    const path = join(disk.directory, 'content');
    writeFileSync(path, randomBytes(1024 * 1024));
    const counted: number[] = [];
    while (counted.length < 5) {
      writeFileSync(join(disk.directory, 'other'), randomBytes(blockBytes));
      execFileSync('sync', ['-f', path]);
      await privilege.dropPageCache();
      const drops = await pageCacheDrops();
      const before = await settledCounters(disk);
      execFileSync('dd', [`if=${path}`, 'of=/dev/null', `bs=${blockBytes}`, 'status=none']);
      const after = await settledCounters(disk);
      // Another program dropped the page cache during the read.
      if ((await pageCacheDrops()) !== drops) continue;
      counted.push(difference(after, before).reads);
    }
    // The first read also reads metadata that was not cached yet.
    return counted.slice(1);
  }

  test('an image path and a mount point given by the user are used, and only the image is removed', async () => {
    const imagePath = join(state, 'slow.img');
    const mountPoint = join(state, 'mount');
    mkdirSync(mountPoint);
    await withDisk({ imagePath, mountPoint }, async (disk) => {
      expect(disk.directory).toBe(mountPoint);
      writeFileSync(join(disk.directory, 'file'), 'content');
      await disk.setDelay(1);
      expect(readFileSync(join(mountPoint, 'file'), 'utf8')).toBe('content');
      const again = withDisk({ imagePath, mountPoint }, () => Promise.resolve());
      await expect(again).rejects.toThrow(/slow\.img exists.*mount is in use/);
    });
    expect(existsSync(imagePath)).toBe(false);
    expect(readdirSync(mountPoint)).toEqual([]);
  });

  test.each<[Partial<DiskOptions>, RegExp]>([
    [{ flushDelayMs: 5 }, /nbdkit's filter cannot delay flushes: use --storage nbd-live/],
    [{ writeDelayMs: -1 }, /the write delay is -1; it must be/],
    [{ fileSystem: 'xfs', imageBytes: 1e6 }, /xfs needs 314572800/],
  ])('%j is refused before anything is created', async (options, words) => {
    const before = readdirSync(tmpdir());
    const attaching = withDisk(options, () => Promise.resolve());
    await expect(attaching).rejects.toMatchObject({ code: 'CS_STORAGE_OPTIONS', exitCode: 2 });
    await expect(withDisk(options, () => Promise.resolve())).rejects.toThrow(words);
    const made = readdirSync(tmpdir()).filter((name) => !before.includes(name));
    expect(made.filter((name) => name.startsWith('cachescope-disk'))).toEqual([]);
  });
});
