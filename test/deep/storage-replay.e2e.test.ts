import { join } from 'node:path';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { replayHits } from '../../harness/commands/storage-replay.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import type { SlowDisk } from '../../harness/storage/disk.ts';
import { attachStorage } from '../../harness/storage/storage.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

/** Long, so that other work on this computer adds little to a read. */
const delaysMs = [20, 30, 40];
const repetitions = 4;
const privilege = createPrivilege({ dryRun: false, say: () => undefined });
/** Tolerated difference of a replay from its trace, as a share. */
const tolerance = 0.05;

/** Takes a sweep with traces to a new directory. */
async function tracedSweep(out: string): Promise<SweepRunDocument> {
  const few = ['--samples', '1', '--launches', '1', '--no-recompress', '--trace', '--env', 'skip'];
  const words = ['sweep', '--delays', delaysMs.join(','), '--storage', 'nbd-live', ...few];
  const taken = await cachescope(...words, '--out', out);
  expect(taken.code, taken.stderr).toBe(0);
  return readRunOf('sweep', out);
}

/** How much longer the fastest replay of each hit took than its trace, as shares by hit. */
async function differencesOf(run: SweepRunDocument, disk: SlowDisk) {
  const differences: Record<string, number[]> = { Brotli: [], DCB: [] };
  for (const delayMs of delaysMs) {
    await disk.setDelay(delayMs);
    const traced = run.traced?.filter(({ cell }) => cell.delayMs === delayMs) ?? [];
    for (const hit of await replayHits({ ...run, traced }, disk.directory, repetitions)) {
      const { name, serialReads, tracedMs, replayedMs } = hit;
      // Fewer waits would show that the chain is not kept, or that memory answers.
      const leastMs = (serialReads ?? 0) * (delayMs - 0.2);
      expect(Math.min(...replayedMs), name).toBeGreaterThan(leastMs);
      differences[name]?.push(Math.min(...replayedMs) / tracedMs - 1);
    }
  }
  for (const [name, shares] of Object.entries(differences))
    expect(shares, name).toHaveLength(delaysMs.length);
  return differences;
}

test.skipIf(lacking)(
  'replayed on a device of the same delays, the device reads of a hit take as long as in its trace',
  async () => {
    let out = '';
    const disk = await attachStorage({ kind: 'nbd-live', delayWrites: false, privilege });
    try {
      // Other work on this computer makes traces and replays longer: the first sweep with an undisturbed pair counts.
      for (let round = 0; ; round++) {
        out = join(base, `traced-${round}`);
        const differences = await differencesOf(await tracedSweep(out), disk);
        const isNear = (share: number) => Math.abs(share) < tolerance;
        if (Object.values(differences).every((shares) => shares.some(isNear))) break;
        console.warn(`Sweep ${round + 1} was disturbed: ${JSON.stringify(differences)}`);
      }
    } finally {
      await disk.detach();
    }

    const here = await cachescope('storage', 'replay', out, '--on', base);
    expect(here.code, here.stderr).toBe(0);
    expect(here.stdout).toMatch(/traced hit +delay .*\nBrotli +40 ms .*\nDCB +40 ms /);
    const nowhere = await cachescope('storage', 'replay', out, '--on', join(base, 'nowhere'));
    expect(nowhere.stderr).toMatch(/CS_STORAGE_REPLAY: .*nowhere/);
    expectNothingLeft();
  },
);
