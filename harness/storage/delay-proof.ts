import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { type DelayProof, throughputReadBytes } from '@cachescope/model/run/base.ts';
import { CachescopeError } from '../error.ts';
import { type DirectFile, openProbeFile, probeBytes, probeOffset } from './direct-read.ts';
import { blockBytes } from './file-system.ts';
import type { SlowDisk } from './disk.ts';

/**
 * Time limit for the device to count a read that it has completed, ms. The limit is reached only when the count never
 * comes.
 */
const countLimitMs = 5000;

/** Parameters of a proof. */
export interface ProofRequest {
  requestedDelayMs: number;
  when: DelayProof['when'];
  /** Number of direct 4 KiB reads. */
  reads: number;
  /** Also read 10 MiB in direct reads of 1 MiB each. */
  throughput: boolean;
}

/** Whether a measured delay differs too much from the requested one: by more than 1 ms and more than 20 %. */
export function isDelayOff(requestedDelayMs: number, measuredMs: number): boolean {
  return Math.abs(measuredMs - requestedDelayMs) > Math.max(1, 0.2 * requestedDelayMs);
}

function throughputOf(file: DirectFile): number {
  let totalMs = 0;
  for (let offset = 0; offset < probeBytes; offset += throughputReadBytes) {
    totalMs += file.timedRead(offset, throughputReadBytes);
  }
  return probeBytes / (totalMs / 1000);
}

/**
 * Proves a delay by serial direct 4 KiB reads on the disk; the device's counters must count each of them. null where
 * the storage has no direct reads: then its delay is unknown.
 *
 * @throws CachescopeError CS_STORAGE_PROOF when the reads did not reach the device, CS_STORAGE_READ when the device
 * failed, for example because the program that serves it has exited.
 */
export async function proveDelay(
  disk: SlowDisk,
  request: ProofRequest,
): Promise<DelayProof | null> {
  const open = await openDelayProof(disk);
  try {
    return open && (await open.prove(request));
  } finally {
    open?.close();
  }
}

/** Proves delays of one disk repeatedly: its file stays open, so that a proof issues its direct reads and no others. */
export interface OpenDelayProof {
  /** Throws as `proveDelay` does. */
  prove(request: ProofRequest): Promise<DelayProof>;
  /** Times of direct 4 KiB reads during `limitMs`, ms; at least one. */
  timesMs(limitMs: number): number[];
  /** The disk cannot be detached before this is called. */
  close(): void;
}

/** Opens a proof; returns null and throws as `proveDelay` does. */
export async function openDelayProof(disk: SlowDisk): Promise<OpenDelayProof | null> {
  const file = await named(disk, () => openProbeFile(disk.directory, throughputReadBytes));
  if (file === null) return null;
  try {
    // The first read also reads the file's block mapping from the disk.
    await named(disk, () => file.timedRead(0, blockBytes));
  } catch (error) {
    file.close();
    throw error;
  }
  return {
    prove: (request) => named(disk, () => measure(disk, file, request)),
    timesMs: (limitMs) => timesDuring(file, limitMs),
    close: () => file.close(),
  };
}

/** Replaces EIO by an error that names the failed storage. */
async function named<Value>(disk: SlowDisk, work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
    throw new CachescopeError(
      'CS_STORAGE_READ',
      `a read on ${disk.kind} storage failed: the device below ${disk.directory} no longer responds`,
      {
        hint: 'Switch bad reads off if they are on: npm run storage -- bad-reads off. Otherwise take the disk down and bring it up again: npm run storage -- down, then up.',
        cause: error,
      },
    );
  }
}

/**
 * The kernel wakes the reader before it counts the read (blk_mq_end_request: data first, then accounting), so the last
 * read may be uncounted for a moment.
 */
async function requireCounted(disk: SlowDisk, readsBefore: number, reads: number): Promise<void> {
  let counted = 0;
  for (const end = Date.now() + countLimitMs; ; await sleep(1)) {
    const after = await disk.counters();
    if (after === null) return;
    counted = after.reads - readsBefore;
    if (counted >= reads) return;
    if (Date.now() > end) break;
  }
  throw new CachescopeError(
    'CS_STORAGE_PROOF',
    `${reads} direct reads made the device read ${counted} times; something above it answers`,
  );
}

function timesDuring(file: DirectFile, limitMs: number): number[] {
  const times: number[] = [];
  const end = performance.now() + limitMs;
  do times.push(file.timedRead(probeOffset(times.length), blockBytes));
  while (performance.now() < end);
  return times;
}

async function measure(
  disk: SlowDisk,
  file: DirectFile,
  request: ProofRequest,
): Promise<DelayProof> {
  const before = await disk.counters();
  const times: number[] = [];
  for (let index = 0; index < request.reads; index++) {
    times.push(file.timedRead(probeOffset(index), blockBytes));
    // The reads block the event loop; signals are handled between them.
    await nextTurn();
  }
  // On ordinary storage a layer above the device may answer a read, so the device need not count it.
  const isSlow = disk.kind !== 'none';
  if (isSlow && before) await requireCounted(disk, before.reads, request.reads);
  const p50Ms = quantile(times, 0.5) ?? Number.NaN;
  return {
    storage: disk.kind,
    requestedDelayMs: request.requestedDelayMs,
    when: request.when,
    reads: request.reads,
    p50Ms,
    p95Ms: quantile(times, 0.95) ?? Number.NaN,
    throughputBytesPerSecond: request.throughput ? throughputOf(file) : null,
    // Ordinary storage has no requested delay to compare with.
    off: isSlow && isDelayOff(request.requestedDelayMs, p50Ms),
    takenAt: new Date().toISOString(),
  };
}
