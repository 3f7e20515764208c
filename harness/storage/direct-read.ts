import { closeSync, constants, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { blockBytes } from './file-system.ts';

/** Size of the file for direct reads. */
export const probeBytes = 10 * 1024 * 1024;

/** Offset in that file of the 4 KiB read with this index; no two consecutive reads are adjacent. */
export function probeOffset(index: number): number {
  const stride = 997;
  return ((index * stride) % (probeBytes / blockBytes)) * blockBytes;
}

function probePathIn(directory: string): string {
  return join(directory, 'cachescope-probe');
}

/** Writes the file for direct reads, through to the device. */
export async function writeProbeFile(directory: string): Promise<void> {
  await using file = await open(probePathIn(directory), 'w', 0o600);
  await file.writeFile(randomBytes(probeBytes));
  await file.sync();
}

/** A file that is read without the page cache. */
export interface DirectFile {
  /** Reads this many bytes at an offset, both multiples of 4096; returns the time it took, ms. */
  timedRead(offset: number, bytes: number): number;
  close(): void;
}

/**
 * Opens the probe file for direct reads (open(2), O_DIRECT). Reads are synchronous: with asynchronous reads the thread
 * pool's queueing would be part of the time. null where the file system has no direct I/O, such as tmpfs on older
 * kernels.
 */
export function openProbeFile(directory: string, longestBytes: number): DirectFile | null {
  let file: number;
  try {
    file = openSync(probePathIn(directory), constants.O_RDONLY | constants.O_DIRECT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return null;
    throw error;
  }
  const buffer = alignedBuffer(longestBytes);
  let isDirect = false;
  try {
    isDirect = canRead(file, buffer);
  } finally {
    // Left open after a failed read, the file would keep the disk from being unmounted.
    if (!isDirect) closeSync(file);
  }
  if (!isDirect) return null;
  return {
    timedRead(offset, bytes) {
      const start = process.hrtime.bigint();
      const read = readSync(file, buffer, 0, bytes, offset);
      const elapsed = process.hrtime.bigint() - start;
      if (read !== bytes)
        throw new Error(`a direct read of ${bytes} bytes at ${offset} returned ${read}`);
      return Number(elapsed) / 1e6;
    },
    close: () => closeSync(file),
  };
}

/**
 * A direct read needs memory aligned to the device's blocks. Node's buffers have arbitrary alignment; V8 aligns a
 * resizable one to a page.
 */
export function alignedBuffer(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}

function canRead(file: number, buffer: Buffer): boolean {
  try {
    readSync(file, buffer, 0, blockBytes, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return false;
    throw error;
  }
}
