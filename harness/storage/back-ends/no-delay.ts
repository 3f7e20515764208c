import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Privilege } from '../../privilege.ts';
import { blockDirectory, readCounters } from '../device-counters.ts';
import { writeProbeFile } from '../direct-read.ts';
import type { SlowDisk } from '../disk.ts';
import { makeWorkDirectory } from '../journal/work-directory.ts';

/** The control: a directory on the machine's ordinary storage. */
export async function attachOrdinaryDirectory(privilege: Privilege): Promise<SlowDisk> {
  const { path: directory, remove } = await makeWorkDirectory('control', privilege);
  await writeProbeFile(directory).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const block = blockDirectory(statSync(directory).dev);
  return {
    kind: 'none',
    directory,
    describe: 'none: ordinary storage without a set delay',
    // The counters cover the whole disk: other programs read there too.
    counters: async () =>
      block === null ? null : { ...(await readCounters(join(block, 'stat'))), shared: true },
    setDelay: () => Promise.reject(new Error('ordinary storage has no delay to set')),
    detach: remove,
  };
}
