import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Privilege } from '@cachescope/harness/privilege.ts';
import { proveDelay } from '@cachescope/harness/storage/delay-proof.ts';
import { difference } from '@cachescope/harness/storage/device-counters.ts';
import type { DiskOptions } from '@cachescope/harness/storage/device-properties.ts';
import type { SlowDisk } from '@cachescope/harness/storage/disk.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import { CachescopeError } from '@cachescope/harness/error.ts';
import { alignedBuffer, probeBytes } from '@cachescope/harness/storage/direct-read.ts';
import type {
  BadReadObservations,
  DirectRequests,
  FlushObservations,
  LiveChange,
  StorageObservations,
} from './observations.ts';

/** Delays of the calibration, ms. Unordered, so that the delay is also decreased. */
const delaysMs = [0, 20, 1, 50, 5];
const proofReads = 8;
const requests = 20;
const directDelayMs = 20;
const writeRounds = 5;

function attach(privilege: Privilege, options: Partial<DiskOptions> = {}): Promise<SlowDisk> {
  return attachStorage({ kind: 'dm-delay', delayWrites: false, privilege, ...options });
}

async function changeLive(disk: SlowDisk, delayMs: number): Promise<LiveChange> {
  const started = performance.now();
  await disk.setDelay(delayMs);
  const changeMs = performance.now() - started;
  const request = { requestedDelayMs: delayMs, when: 'before', throughput: false } as const;
  return { delayMs, changeMs, proof: await proveDelay(disk, { ...request, reads: proofReads }) };
}

/** The delay changes while a file on the mounted disk is open, and its content is preserved; only reads are delayed. */
export async function tryLiveChanges(
  privilege: Privilege,
): Promise<Pick<StorageObservations, 'describe' | 'changes' | 'contentKept' | 'direct'>> {
  const disk = await attach(privilege);
  try {
    const path = join(disk.directory, 'kept');
    const content = randomBytes(400 * 1024);
    const wanted = createHash('sha256').update(content).digest('hex');
    writeFileSync(path, content);
    const open = openSync(path, 'r');
    const changes: LiveChange[] = [];
    const hashes: string[] = [];
    for (const delayMs of delaysMs) {
      changes.push(await changeLive(disk, delayMs));
      await privilege.dropPageCache();
      hashes.push(createHash('sha256').update(readFileSync(path)).digest('hex'));
    }
    closeSync(open);
    const contentKept = hashes.every((hash) => hash === wanted);
    await disk.setDelay(directDelayMs);
    const direct = await directRequests(disk, directDelayMs);
    return { describe: disk.describe, changes, contentKept, direct };
  } finally {
    await disk.detach();
  }
}

/** Requests of 4 KiB by dd; returns their duration, ms. */
function dd(count: number, ...operands: string[]): number {
  const started = performance.now();
  execFileSync('dd', ['bs=4096', `count=${count}`, 'status=none', ...operands]);
  return performance.now() - started;
}

/** Duration of reads and writes on a disk at this delay, and the device's counters. */
async function directRequests(disk: SlowDisk, delayMs: number): Promise<DirectRequests> {
  const probe = join(disk.directory, 'cachescope-probe');
  // The first read loads the file's block map.
  dd(requests, `if=${probe}`, 'of=/dev/null', 'iflag=direct');
  const before = await disk.counters();
  const readsTookMs = dd(requests, `if=${probe}`, 'of=/dev/null', 'iflag=direct');
  const between = await disk.counters();
  // The file's blocks are already allocated: only their contents are written.
  const written = () => dd(requests, 'if=/dev/zero', `of=${probe}`, 'oflag=direct', 'conv=notrunc');
  // Other work on this computer makes writes slower, never faster.
  const writesTookMs = Math.min(...Array.from({ length: writeRounds }, written));
  const after = await disk.counters();
  if (!before || !between || !after) throw new Error('the counters cannot be read');
  const { reads } = difference(between, before);
  const { writes } = difference(after, between);
  return { delayMs, requests, readsTookMs, writesTookMs, counted: { reads, writes } };
}

/** Reads and writes on a disk that delays both. */
export async function tryDelayedWrites(privilege: Privilege): Promise<DirectRequests> {
  const disk = await attach(privilege, { delayWrites: true });
  try {
    await disk.setDelay(directDelayMs);
    return await directRequests(disk, directDelayMs);
  } finally {
    await disk.detach();
  }
}

const flushDelayMs = 40;
const flushes = 5;
const badReadRate = 0.2;
const readBytes = 64 * 1024;

/** Flushes have a separate delay, and writes have none. */
export async function tryFlushes(privilege: Privilege): Promise<FlushObservations> {
  const disk = await attach(privilege, { flushDelayMs });
  try {
    const places = ['if=/dev/zero', `of=${join(disk.directory, 'cachescope-probe')}`];
    const each = Array.from({ length: flushes }, () => dd(1, ...places, 'conv=notrunc,fsync'));
    const writesTookMs = dd(flushes, ...places, 'oflag=direct', 'conv=notrunc');
    const tookMs = each.reduce((sum, ms) => sum + ms, 0);
    return { delayMs: flushDelayMs, flushes, tookMs, writesTookMs };
  } finally {
    await disk.detach();
  }
}

/** A share of the disk cannot be read while bad reads are enabled, on a mounted file system with a file open. */
export async function tryBadReads(privilege: Privilege): Promise<BadReadObservations> {
  const disk = await attach(privilege, { badReadRate }).catch(refused);
  if (typeof disk === 'string') return { refused: disk };
  try {
    const reads = probeBytes / readBytes;
    const failed: number[][] = [];
    for (const rate of [0, badReadRate, 0, badReadRate]) {
      await disk.setBadReadRate?.(rate);
      failed.push(failuresOn(disk.directory, reads));
    }
    return { rate: badReadRate, reads, failed };
  } finally {
    await disk.detach();
  }
}

/** The error code of a refusal: only newer kernels have dm-flakey's `error_reads`. */
function refused(error: unknown): string {
  if (error instanceof CachescopeError) return error.code;
  throw error;
}

/** Indexes of the direct reads that failed; they bypass the page cache. */
function failuresOn(directory: string, reads: number): number[] {
  const file = openSync(
    join(directory, 'cachescope-probe'),
    constants.O_RDONLY | constants.O_DIRECT,
  );
  const buffer = alignedBuffer(readBytes);
  try {
    return Array.from({ length: reads }, (_, index) => index).filter((index) => {
      try {
        return readSync(file, buffer, 0, readBytes, index * readBytes) !== readBytes;
      } catch {
        return true;
      }
    });
  } finally {
    closeSync(file);
  }
}
