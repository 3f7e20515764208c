import type { DeviceCounts } from '@cachescope/model/run/sample.ts';
import type { DeviceReading, SystemWindow } from '@cachescope/model/reclaim/window.ts';
import { difference } from '../storage/device-counters.ts';
import { Pace } from './pace.ts';
import { proportionalBytes, readProcesses } from './process-memory.ts';
import type { TypedProcess } from './process-tree.ts';
import { ThreadWatch } from './thread-times.ts';

/** Share of one core: the maximum cost of reading memory, which is most of the cost of sampling. */
const memoryShare = 0.008;

/** The kernel's data of processes and a device in a window. */
export type MachineReading = Pick<SystemWindow, 'processes' | 'threads' | 'device'>;

/** Samples processes and a device repeatedly. */
export interface Sampler {
  /**
   * Current memory and open files; processor time and device I/O since the previous call. The first call returns no
   * differences.
   */
  take(): Promise<MachineReading>;
}

/**
 * Opens a sampler of the processes that `targets` returns at each call, and of a device by its counters; null: no
 * device. Memory is read as often as 0.8 % of a core allows, and is null in between.
 */
export function openSampler(
  targets: () => readonly TypedProcess[] | Promise<readonly TypedProcess[]>,
  counters: (() => Promise<DeviceCounts | null>) | null,
): Sampler {
  const threads = new ThreadWatch();
  const pace = new Pace(memoryShare);
  let last: DeviceCounts | null = null;
  const device = async (): Promise<DeviceReading | null> => {
    const now = counters && (await counters());
    const change = now && last && difference(now, last);
    last = now;
    if (!change) return null;
    const { reads, readBytes, writes, writtenBytes } = change;
    return { reads, readBytes, writes, writtenBytes };
  };
  return {
    async take() {
      const processes = await targets();
      const memory = pace.take(
        () => new Map(processes.map(({ pid }) => [pid, proportionalBytes(pid)])),
      );
      return {
        processes: readProcesses(processes, (pid) => memory?.get(pid) ?? null),
        threads: threads.take(processes),
        device: await device(),
      };
    },
  };
}
