import { randomBytes } from 'node:crypto';
import { constants, readSync, unlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceRead } from '@cachescope/model/explain/device-read.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { alignedBuffer } from './direct-read.ts';
import { blockBytes } from './file-system.ts';

/** A device read to repeat: at an offset of a file, once another read has completed. */
export interface ReplayedRead {
  offset: number;
  bytes: number;
  /** Index of the read after whose completion it is issued; null: at the begin. */
  after: number | null;
}

/** Longest gap between two reads that is kept in the file, bytes: real distances would need a file of the disk's size. */
const longestGapBytes = 2 ** 20;

/**
 * The reads of a traced read with their chain: each follows the last one that had completed when it was issued. Their
 * order on the disk stays, and so do gaps up to 1 MiB.
 */
export function replayedReads(reads: readonly DeviceRead[]): ReplayedRead[] {
  const offsets = offsetsInFile(reads);
  return reads.map((read, index) => ({
    offset: offsets[index] ?? 0,
    bytes: blocksOf(read.bytes),
    after: lastCompletedBefore(read.startMs, reads),
  }));
}

function lastCompletedBefore(startMs: number, reads: readonly DeviceRead[]): number | null {
  let last: number | null = null;
  for (const [index, { endMs }] of reads.entries()) {
    const lastEndMs = last === null ? Number.NEGATIVE_INFINITY : (reads[last]?.endMs ?? 0);
    if (endMs <= startMs && endMs > lastEndMs) last = index;
  }
  return last;
}

function blocksOf(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes;
}

function offsetsInFile(reads: readonly DeviceRead[]): number[] {
  const offsets: number[] = [];
  const inOrder = reads
    .map(({ offset, bytes }, index) => ({ index, offset, bytes }))
    .toSorted((one, other) => one.offset - other.offset);
  let fileEnd = 0;
  let diskEnd = inOrder[0]?.offset ?? 0;
  for (const { index, offset, bytes } of inOrder) {
    // Negative where the disk was read twice.
    const gap = Math.min(longestGapBytes, offset - diskEnd);
    const at = Math.max(0, Math.floor((fileEnd + gap) / blockBytes) * blockBytes);
    offsets[index] = at;
    fileEnd = Math.max(fileEnd, at + blocksOf(bytes));
    diskEnd = Math.max(diskEnd, offset + bytes);
  }
  return offsets;
}

/** Bytes of a file that holds all reads. */
export function replayBytes(reads: readonly ReplayedRead[]): number {
  return Math.max(0, ...reads.map(({ offset, bytes }) => offset + bytes));
}

/** Reads `bytes` at an offset; resolves, or returns where it was `alone`, when they have arrived. */
type ReadOnce = (read: ReplayedRead, alone: boolean) => Promise<void> | undefined;

/**
 * Issues reads in their chain. Returns the time with at least one in flight, which is all of the time, ms. A read that
 * no other accompanies may block: a thread pool would add its own time to it.
 */
export async function replayOnce(
  reads: readonly ReplayedRead[],
  readOnce: ReadOnce,
): Promise<number> {
  const followers = Map.groupBy(reads.keys(), (index) => reads[index]?.after ?? null);
  let inFlight = 0;
  async function issue(indexes: readonly number[]): Promise<void> {
    inFlight += indexes.length;
    await Promise.all(
      indexes.map(async (index) => {
        const read = reads[index];
        if (!read) return;
        const pending = readOnce(read, inFlight === 1);
        if (pending) await pending;
        inFlight--;
        const next = followers.get(index);
        if (next) await issue(next);
      }),
    );
  }
  const begin = performance.now();
  await issue(followers.get(null) ?? []);
  return performance.now() - begin;
}

/** Least size of the file, bytes: a smaller one could fit in the disk's own cache. */
const leastBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;

/**
 * Where each chain begins in the file in each repetition, by repetition, bytes; and the size of the file. No block is
 * read twice, nor one that a disk may have read ahead: its own cache would answer.
 */
export function replayRegions(
  chains: readonly (readonly ReplayedRead[])[],
  repetitions: number,
): { begins: number[][]; fileBytes: number } {
  let end = 0;
  const begins = Array.from({ length: repetitions }, () =>
    chains.map((chain) => {
      const begin = end;
      end += replayBytes(chain) + longestGapBytes;
      return begin;
    }),
  );
  return { begins, fileBytes: Math.max(leastBytes, end) };
}

/**
 * Replays chains of reads on the disk of a directory with direct I/O, in a file without a name. Each repetition of each
 * chain reads its own part of the file. At most four reads are in flight, as Node's thread pool has four threads.
 * Returns the times of each chain, ms.
 *
 * @throws CachescopeError CS_STORAGE_REPLAY for a directory whose disk cannot be read directly or has no room.
 */
export async function replayIn(
  directory: string,
  chains: readonly (readonly ReplayedRead[])[],
  repetitions: number,
): Promise<number[][]> {
  const { begins, fileBytes } = replayRegions(chains, repetitions);
  const times: number[][] = chains.map(() => []);
  try {
    await using file = await namelessFile(directory, fileBytes);
    for (const round of begins) {
      for (const [index, chain] of chains.entries()) {
        const moved = chain.map((read) => ({ ...read, offset: read.offset + (round[index] ?? 0) }));
        times[index]?.push(await replayDirectly(moved, file));
      }
    }
    return times;
  } catch (error) {
    throw new CachescopeError('CS_STORAGE_REPLAY', `${directory}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * A file of random bytes, written through to the disk, for direct reads. It loses its name before it is written: the
 * kernel removes it when it is closed, in whatever way this program ends.
 */
export async function namelessFile(directory: string, bytes: number): Promise<FileHandle> {
  const path = join(directory, `cachescope-replay-${randomBytes(4).toString('hex')}`);
  await using written = await open(path, 'wx', 0o600);
  const file = await open(path, constants.O_RDONLY | constants.O_DIRECT).finally(() =>
    unlinkSync(path),
  );
  try {
    for (let at = 0; at < bytes; at += chunkBytes)
      await written.write(randomBytes(Math.min(chunkBytes, bytes - at)));
    await written.sync();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function replayDirectly(reads: readonly ReplayedRead[], file: FileHandle): Promise<number> {
  // Made before the clock starts.
  const buffers = new Map(reads.map((read) => [read, alignedBuffer(read.bytes)]));
  return replayOnce(reads, (read, alone) => {
    const buffer = buffers.get(read) ?? alignedBuffer(read.bytes);
    if (!alone)
      return file
        .read(buffer, 0, read.bytes, read.offset)
        .then(({ bytesRead }) => requireAll(bytesRead, read));
    requireAll(readSync(file.fd, buffer, 0, read.bytes, read.offset), read);
    return undefined;
  });
}

function requireAll(count: number, { offset, bytes }: ReplayedRead): void {
  if (count !== bytes)
    throw new Error(`a direct read of ${bytes} bytes at ${offset} returned ${count}`);
}
