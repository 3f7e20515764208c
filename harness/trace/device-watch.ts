import type { TracedRead } from '@cachescope/model/traced-read.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from '../storage/disk.ts';
import type { BlockRead } from './block-events.ts';
import { type BlockTrace, blockTraceProblem, openBlockTrace } from './block-trace.ts';
import { tracedDevice } from './traced-device.ts';

/** What was seen of a device's reads. */
export interface SeenReads {
  /** null: nobody watched. */
  reads: BlockRead[] | null;
  witness: TracedRead['deviceWitness'];
  /** Why nobody watched, or what limits what was seen. */
  why?: string;
}

/** Watches the single reads of a disk's device, as well as this machine can. */
export interface DeviceWatch {
  begin(disk: SlowDisk): Promise<void>;
  end(): Promise<SeenReads>;
}

/** Opens the best witness that there is: the kernel's block tracepoints. `resources` closes it. */
export async function openDeviceWatch(
  privilege: Privilege,
  resources: AsyncDisposableStack,
): Promise<DeviceWatch> {
  const problem = blockTraceProblem();
  if (problem !== null) return watchNothing(problem);
  try {
    return watchBlocks(await openBlockTrace(privilege, resources));
  } catch (error) {
    return watchNothing(messageOf(error));
  }
}

function watchNothing(why: string): DeviceWatch {
  return {
    begin: async () => undefined,
    end: async () => ({ reads: null, witness: null, why }),
  };
}

function watchBlocks(trace: BlockTrace): DeviceWatch {
  let offset: number | null = null;
  return {
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
