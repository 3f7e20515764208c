import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, lacking, lastTaken } from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { KilledSweeps, victims } from './killed-sweeps.ts';

/** Another seed kills at other moments: CACHESCOPE_KILL_SEED=7 */
const seed = Number(process.env['CACHESCOPE_KILL_SEED'] ?? 2026);
const kills = 50;

describe.skipIf(lacking)(`a sweep that is killed at ${kills} random moments`, () => {
  // Two at a time: a sweep mostly waits.
  const kinds = ['nbd-delay', 'nbd-live'] as const;
  const lanes = kinds.map(
    (kind, lane) => new KilledSweeps(join(base, `${lane}`), seed + lane, kind),
  );

  test(
    'a sweep never loses a sample, and the next start cleans up',
    async () => {
      const performing = lanes.map((lane) => lane.perform(kills / lanes.length));
      // When one fails, the other still runs to its end.
      await Promise.allSettled(performing);
      await Promise.all(performing);
      const met = lanes.flatMap((lane) => lane.kills.filter((kill) => kill.met));
      expect(met.length).toBeGreaterThan(kills / 2);
      // One test runs fifty sweeps.
    },
    6 * hangLimitMs,
  );

  test('a resumed run has exactly the samples of its plan, and every sample that was ever saved', async () => {
    const complete: string[] = [];
    const runs = lanes.flatMap((lane) => lane.runs);
    const takenBefore = new Map(lanes.flatMap((lane) => [...lane.takenBefore]));
    for (const out of runs) {
      if (!existsSync(join(out, 'run.json'))) continue;
      const { run, samples } = await readRunOf('sweep', out);
      expect(run.warnings.filter((warning) => warning.includes('excluded')).length).toBeLessThan(2);
      const before = (takenBefore.get(out) ?? []).map(
        (line) => (JSON.parse(line) as Sample).sequence,
      );
      const now = new Set(samples.map(({ sequence }) => sequence));
      expect(before.filter((sequence) => !now.has(sequence))).toEqual([]);
      if (run.status !== 'complete') continue;
      complete.push(out);
      const counts = Map.groupBy(
        lastTaken(samples),
        ({ kind, cell: { storage, delayMs } }) => `${kind} ${storage} ${delayMs}`,
      );
      const timed = ['timed none 0', `timed ${run.plan.storage} 1`];
      const companions = timed.map((key) => key.replace('timed', 'companion'));
      expect([...counts.keys()].toSorted()).toEqual([...timed, ...companions].toSorted());
      for (const key of timed) expect(counts.get(key), key).toHaveLength(1);
      for (const key of companions) expect(counts.get(key), key).toHaveLength(1);
    }
    expect(complete.length).toBeGreaterThan(0);
    const done = lanes.flatMap((lane) => lane.kills);
    const counts = victims.map((victim) => {
      const of = done.filter((kill) => kill.victim === victim);
      return `${victim} ${of.filter(({ met }) => met).length} of ${of.length}`;
    });
    console.warn(
      `Seed ${seed}: ${done.length} kills (met: ${counts.join(', ')}), ${runs.length} runs, ${complete.length} complete`,
    );
  });
});
