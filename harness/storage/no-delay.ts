import { existsSync, statSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCounters } from './device-counters.ts';
import { writeProbeFile } from './direct-read.ts';
import type { SlowDisk } from './storage.ts';

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
export async function attachOrdinaryDirectory(): Promise<SlowDisk> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'cachescope-control-'));
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
    detach: () => rm(directory, { recursive: true, force: true }),
  };
}
