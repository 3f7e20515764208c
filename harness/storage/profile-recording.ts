import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { CachescopeError, type ErrorDetails } from '../error.ts';
import { onSignals } from '../lab/interrupt.ts';
import type { Progress } from '../lab/progress.ts';
import type { Privilege } from '../privilege.ts';
import { maxDelayMs } from './delay.ts';
import { blockDirectory, readCounters } from './device-counters.ts';
import type { LatencyProfile } from './latency-profile.ts';

/** Number of quantiles in a recorded profile: from the minimum to the maximum in steps of 0.1 %. */
const quantiles = 1001;
/** Minimum file size, bytes: a smaller file fits in the device's own cache. */
const leastBytes = 64 * 1024 ** 2;
/** Least share of fio's reads that the device must count. */
const leastOnDevice = 0.9;
/** Allowance for fio's start and end, ms. */
const graceMs = 60_000;
/** Longest run of fio, s: it goes on to its end when this program is killed. */
const longestRunSeconds = 10;

/** The fields used of `fio --output-format=json+`: number of reads per latency in ns, and bytes a second. */
const fioSchema = z.object({
  'fio version': z.string(),
  jobs: z
    .array(
      z.object({
        read: z.object({
          bw_bytes: z.number(),
          clat_ns: z.object({ bins: z.optional(z.record(z.string(), z.number())) }),
        }),
      }),
    )
    .check(z.minLength(1)),
});

/**
 * Measures a disk with fio: 4 KiB direct reads at random offsets of a file or a block device, one at a time, then
 * sequential direct reads of 1 MiB. It never writes. The progress is counted in runs of fio.
 *
 * @throws CachescopeError CS_STORAGE_RECORD for a path that cannot be measured, and with exit code 130 when interrupted;
 * CS_COMMAND when fio fails.
 */
export async function recordProfile(
  path: string,
  seconds: number,
  privilege: Pick<Privilege, 'run'>,
  progress: Pick<Progress, 'expect' | 'advance'>,
  deviceReads: (path: string) => Promise<number | null> = readsBelow,
): Promise<LatencyProfile> {
  requireReadable(path);
  const runs = runsOf(seconds);
  progress.expect(runs.length + 1);
  const bins: [ns: string, count: number][] = [];
  const before = await deviceReads(path);
  for (const runSeconds of runs) {
    const { read } = await fio(path, randomReads, runSeconds, privilege);
    bins.push(...Object.entries(read.clat_ns.bins ?? {}));
    progress.advance('random reads');
  }
  const after = await deviceReads(path);
  const inOrderSeconds = Math.min(longestRunSeconds, Math.ceil(seconds / 4));
  const inOrder = await fio(path, ['--rw=read', '--bs=1M'], inOrderSeconds, privilege);
  progress.advance('sequential reads');
  const reads = bins.reduce((sum, [, count]) => sum + count, 0);
  if (reads === 0) throw failure(`fio counted no read of ${path}`);
  if (before !== null && after !== null && after - before < leastOnDevice * reads)
    throw failure(
      `fio read ${path} ${reads} times, and its device counts ${after - before} reads: parts of the file were never written, and the file system answers for them. Write the whole file first, for example with dd if=/dev/urandom`,
    );
  const when = new Date().toISOString().slice(0, 10);
  return {
    name: basename(path),
    source: `${inOrder.version}, ${reads} direct 4 KiB reads at random places of ${path}, one at a time, ${when}`,
    read: { kind: 'recorded', quantilesMs: quantilesOf(bins) },
    bandwidthBytesPerSecond: inOrder.read.bw_bytes,
  };
}

/** Without a seed of its own each run would read the same blocks, and the disk's own cache would answer. */
const randomReads = ['--rw=randread', '--bs=4k', '--randrepeat=0'];

/** Lengths of the runs that make up this time, s. */
function runsOf(seconds: number): number[] {
  const whole = Math.ceil(seconds / longestRunSeconds);
  return Array.from({ length: whole }, (_, index) =>
    Math.min(longestRunSeconds, seconds - index * longestRunSeconds),
  );
}

function requireReadable(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isBlockDevice() && !stat?.isFile())
    throw failure(`${path} is neither a file nor a block device`);
  if (stat.isFile() && stat.size < leastBytes)
    throw failure(`${path} has ${stat.size} bytes; a file needs at least ${leastBytes}`);
}

/** Reads that the device below a file, or the device itself, has counted; null: it has no counters. */
async function readsBelow(path: string): Promise<number | null> {
  const stat = statSync(path);
  const block = blockDirectory(stat.isBlockDevice() ? stat.rdev : stat.dev);
  return block === null ? null : (await readCounters(join(block, 'stat'))).reads;
}

function failure(message: string, details?: ErrorDetails): CachescopeError {
  return new CachescopeError('CS_STORAGE_RECORD', message, details);
}

async function fio(
  path: string,
  pattern: readonly string[],
  seconds: number,
  privilege: Pick<Privilege, 'run'>,
) {
  // A colon separates two file names (fio(1), filename).
  const name = `--filename=${path.replaceAll(':', String.raw`\:`)}`;
  const neverWrite = ['--readonly', '--allow_file_create=0'];
  const direct = ['--direct=1', '--ioengine=psync', '--time_based', `--runtime=${seconds}`];
  const words = ['--name=record', name, ...neverWrite, ...direct, ...pattern];
  const limitMs = 1000 * seconds + graceMs;
  // Otherwise fio would go on reading the disk after Ctrl-C.
  const stop = new AbortController();
  const dispose = onSignals(() => stop.abort(failure('interrupted', { exitCode: 130 })));
  const options = { limitMs, signal: stop.signal };
  const text = await privilege
    .run(['fio', ...words, '--output-format=json+'], options)
    .finally(dispose);
  const json = parsedJson("fio's answer", text);
  const found = 'problems' in json ? json : checked("fio's answer", fioSchema, json.value);
  if ('problems' in found) throw failure(found.problems.join('; '));
  const [job] = found.value.jobs;
  if (!job) throw failure("fio's answer has no job");
  return { version: found.value['fio version'], read: job.read };
}

/** Quantiles of counted latencies, ms. */
export function quantilesOf(bins: readonly (readonly [ns: string, count: number])[]): number[] {
  const sorted = bins
    .map(([ns, count]) => ({ ms: Math.min(maxDelayMs, Number(ns) / 1e6), count }))
    .toSorted((one, other) => one.ms - other.ms);
  const reads = sorted.reduce((sum, { count }) => sum + count, 0);
  let at = 0;
  let passed = sorted[0]?.count ?? 0;
  return Array.from({ length: quantiles }, (_, step) => {
    const rank = (step / (quantiles - 1)) * (reads - 1);
    while (passed <= rank && at < sorted.length - 1) passed += sorted[++at]?.count ?? 0;
    return sorted[at]?.ms ?? 0;
  });
}
