import { setTimeout as sleep } from 'node:timers/promises';
import type { SlowDisk } from '@cachescope/harness/storage/disk.ts';
import type { DeviceCounts } from '@cachescope/model/run/sample.ts';

/**
 * The counters of an idle device. The kernel wakes a reader before it counts the read, so one sample may be too early:
 * the counters are read until two samples agree.
 */
export async function settledCounters(disk: SlowDisk): Promise<DeviceCounts> {
  for (let last = await disk.counters(); last;) {
    await sleep(10);
    const now = await disk.counters();
    if (now?.reads === last.reads && now.writes === last.writes) return now;
    last = now;
  }
  throw new Error('the counters cannot be read');
}
