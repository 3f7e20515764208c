import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CachescopeError, messageOf } from '../error.ts';
import { alignedBuffer } from './direct-read.ts';
import { type ReplayedRead, replayBytes, replayOnce } from './read-replay.ts';

/** Least size of the file, bytes: a smaller one could fit in the disk's own cache. */
const leastBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;

/**
 * Replays chains of reads on the disk of a directory with direct I/O, in a file that is removed afterwards. Each
 * repetition reads another part of the file. At most four reads are in flight, as Node's thread pool has four threads.
 * Returns the times of each chain, ms.
 *
 * @throws CachescopeError CS_STORAGE_REPLAY for a directory whose disk cannot be read directly or has no room.
 */
export async function replayIn(
  directory: string,
  chains: readonly (readonly ReplayedRead[])[],
  repetitions: number,
): Promise<number[][]> {
  const longest = Math.max(...chains.map(replayBytes));
  const fileBytes = Math.max(leastBytes, 4 * longest);
  let work: string | undefined;
  try {
    work = mkdtempSync(join(directory, 'cachescope-replay-'));
    const path = join(work, 'data');
    await writeThrough(path, fileBytes);
    return await replayFrom(path, chains, { repetitions, spareBytes: fileBytes - longest });
  } catch (error) {
    throw new CachescopeError('CS_STORAGE_REPLAY', `${directory}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true });
  }
}

async function writeThrough(path: string, bytes: number): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  for (let written = 0; written < bytes; written += chunkBytes)
    await file.write(randomBytes(Math.min(chunkBytes, bytes - written)));
  await file.sync();
}

async function replayFrom(
  path: string,
  chains: readonly (readonly ReplayedRead[])[],
  { repetitions, spareBytes }: { repetitions: number; spareBytes: number },
): Promise<number[][]> {
  const flags = constants.O_RDONLY | constants.O_DIRECT;
  const fileNumber = openSync(path, flags);
  try {
    await using file = await open(path, flags);
    const times: number[][] = chains.map(() => []);
    const stepBytes = 4096 * Math.floor(spareBytes / repetitions / 4096);
    for (let round = 0; round < repetitions; round++) {
      for (const [index, chain] of chains.entries()) {
        const base = round * stepBytes;
        const moved = chain.map((read) => ({ ...read, offset: read.offset + base }));
        times[index]?.push(await replayDirectly(moved, file, fileNumber));
      }
    }
    return times;
  } finally {
    closeSync(fileNumber);
  }
}

function replayDirectly(
  reads: readonly ReplayedRead[],
  file: FileHandle,
  fileNumber: number,
): Promise<number> {
  // Made before the clock starts.
  const buffers = new Map(reads.map((read) => [read, alignedBuffer(read.bytes)]));
  return replayOnce(reads, (read, alone) => {
    const buffer = buffers.get(read) ?? alignedBuffer(read.bytes);
    if (!alone)
      return file
        .read(buffer, 0, read.bytes, read.offset)
        .then(({ bytesRead }) => requireAll(bytesRead, read));
    requireAll(readSync(fileNumber, buffer, 0, read.bytes, read.offset), read);
    return undefined;
  });
}

function requireAll(count: number, { offset, bytes }: ReplayedRead): void {
  if (count !== bytes)
    throw new Error(`a direct read of ${bytes} bytes at ${offset} returned ${count}`);
}
