import { existsSync, statSync } from 'node:fs';
import type { Privilege } from '../privilege.ts';
import { readCounters } from './device-counters.ts';
import { writeProbeFile } from './direct-read.ts';
import type { SlowDisk } from './storage.ts';
import { makeWorkDirectory } from './work-directory.ts';

/** Counters of the block device under a directory; null for file systems without one (tmpfs, overlay, network). */
function statPathBelow(directory: string): string | null {
  const { dev } = statSync(directory);
  // Linux makedev(3): 12 bits of major and 20 of minor, interleaved.
  const major = (dev >> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
  const path = `/sys/dev/block/${major}:${minor}/stat`;
  return existsSync(path) ? path : null;
}

/** The control: a directory on the machine's ordinary storage. */
export async function attachOrdinaryDirectory(privilege: Privilege): Promise<SlowDisk> {
  const { path: directory, remove } = await makeWorkDirectory('control', privilege);
  await writeProbeFile(directory);
  const statPath = statPathBelow(directory);
  return {
    kind: 'none',
    directory,
    describe: 'none: ordinary storage without a set delay',
    // The whole disk's counters: other programs read there too.
    counters: async () =>
      statPath === null ? null : { ...(await readCounters(statPath)), shared: true },
    setDelay: () => Promise.reject(new Error('ordinary storage has no delay to set')),
    detach: remove,
  };
}
