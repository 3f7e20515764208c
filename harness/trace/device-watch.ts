import { readFileSync, statSync } from 'node:fs';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from '../storage/disk.ts';
import { type BlockRead, parseNbdkitLog } from './block-events.ts';
import { type BlockTrace, blockTraceProblem, openBlockTrace, tracedDevice } from './block-trace.ts';

/** The observed reads of a device. */
export interface SeenReads {
  /** null: not observed. */
  reads: BlockRead[] | null;
  witness: TracedRead['deviceWitness'];
  /** Why the device was not observed, or what limits the observation. */
  why?: string;
}

/** Observes the single reads of a disk's device with the best witness of this machine. */
export interface DeviceWatch {
  /** Prepares a disk for observation; no files may be open on it. */
  prepare(disk: SlowDisk): Promise<void>;
  begin(disk: SlowDisk): Promise<void>;
  end(): Promise<SeenReads>;
}

/**
 * Opens the best available witness: the kernel's block tracepoints, else the request log of a disk that supports one.
 * `resources` closes it.
 */
export async function openDeviceWatch(
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<DeviceWatch> {
  const problem = blockTraceProblem();
  if (problem !== null) return watchLogs(problem);
  try {
    return watchBlocks(await openBlockTrace(privilege, resources));
  } catch (error) {
    return watchLogs(messageOf(error));
  }
}

/** @param why the kernel's tracing is not available. */
function watchLogs(why: string): DeviceWatch {
  const logs = new Map<SlowDisk, string>();
  let log: string | undefined;
  let from = 0;
  return {
    async prepare(disk) {
      const path = await disk.logRequests?.();
      if (path !== undefined) logs.set(disk, path);
    },
    async begin(disk) {
      log = logs.get(disk);
      from = log === undefined ? 0 : statSync(log).size;
    },
    async end() {
      if (log === undefined) return { reads: null, witness: null, why };
      const text = readFileSync(log).subarray(from).toString();
      return { reads: parseNbdkitLog(text, wallClockOffsetUs()), witness: 'nbdkit log' };
    },
  };
}

function watchBlocks(trace: BlockTrace): DeviceWatch {
  let offset: number | null = null;
  return {
    prepare: async () => undefined,
    async begin({ directory }) {
      const device = tracedDevice(directory);
      offset = device?.offset ?? null;
      if (device) await trace.begin(device);
    },
    async end() {
      if (offset === null) {
        const why = 'the file system has no block device of its own';
        return { reads: null, witness: null, why };
      }
      const { reads, lostEvents } = await trace.end();
      const start = offset;
      return {
        reads: reads.map((read) => ({ ...read, offset: read.offset - start })),
        witness: 'block tracepoints',
        ...(lostEvents > 0 && { why: `the kernel's buffer lost ${lostEvents} events` }),
      };
    },
  };
}

/** Current CLOCK_MONOTONIC, µs: the clock of Chromium's and of the kernel's trace. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Wall-clock time at CLOCK_MONOTONIC 0, µs since 1970; accurate to some µs, by waiting for the next ms of the wall
 * clock.
 */
export function wallClockOffsetUs(): number {
  const first = Date.now();
  let now = Date.now();
  while (now === first) now = Date.now();
  return now * 1000 - monotonicUs();
}
