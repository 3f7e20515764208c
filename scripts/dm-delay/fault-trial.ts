import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CachescopeError } from '@cachescope/harness/error.ts';
import type { Privilege } from '@cachescope/harness/privilege.ts';
import { probeBytes } from '@cachescope/harness/storage/direct-read.ts';
import { attachStorage } from '@cachescope/harness/storage/storage.ts';
import type { BadReadObservations, FlushObservations } from './observations.ts';

const flushDelayMs = 40;
const flushes = 5;
const badReadRate = 0.2;
const readBytes = 64 * 1024;

function ddTookMs(...operands: string[]): number {
  const started = performance.now();
  execFileSync('dd', ['if=/dev/zero', 'bs=4096', 'status=none', ...operands]);
  return performance.now() - started;
}

/** Flushes have a separate delay, and writes have none. */
export async function tryFlushes(privilege: Privilege): Promise<FlushObservations> {
  const disk = await attachStorage({
    kind: 'dm-delay',
    delayWrites: false,
    flushDelayMs,
    privilege,
  });
  try {
    const probe = `of=${join(disk.directory, 'cachescope-probe')}`;
    const each = Array.from({ length: flushes }, () =>
      ddTookMs(probe, 'count=1', 'conv=notrunc,fsync'),
    );
    const writesTookMs = ddTookMs(probe, `count=${flushes}`, 'oflag=direct', 'conv=notrunc');
    const tookMs = each.reduce((sum, ms) => sum + ms, 0);
    return { delayMs: flushDelayMs, flushes, tookMs, writesTookMs };
  } finally {
    await disk.detach();
  }
}

/** A share of the disk cannot be read while bad reads are enabled, on a mounted file system with a file open. */
export async function tryBadReads(privilege: Privilege): Promise<BadReadObservations> {
  const wanted = { kind: 'dm-delay', delayWrites: false, badReadRate, privilege } as const;
  const disk = await attachStorage(wanted).catch(refused);
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
  // V8 aligns a resizable buffer to a page, which direct reads require.
  const buffer = Buffer.from(new ArrayBuffer(readBytes, { maxByteLength: readBytes }));
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
