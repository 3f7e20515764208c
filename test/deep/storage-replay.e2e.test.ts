import { join } from 'node:path';
import { type TracedRead, usableTraces } from '@cachescope/model/explain/traced-read.ts';
import { seriesAt, seriesName } from '@cachescope/model/sweep/series.ts';
import { expect, test } from 'vitest';
import { createPrivilege } from '../../harness/privilege.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import type { SlowDisk } from '../../harness/storage/disk.ts';
import { blockBytes } from '../../harness/storage/file-system.ts';
import { replayedReads, replayIn } from '../../harness/storage/read-replay.ts';
import { attachStorage } from '../../harness/storage/storage.ts';
import { base, cachescope, expectNothingLeft, lacking } from '../command-under-test.ts';

/** Long, so that other work on this computer adds little to a read. */
const delaysMs = [40, 60, 80];
/** Repetitions that are taken at once. */
const repetitions = 6;
/** Most repetitions. Other work only lengthens a replay: more are taken until it disturbed none of the fastest. */
const mostRepetitions = 60;
const privilege = createPrivilege({ dryRun: false, say: () => undefined });
const singleRead = [{ offset: 0, bytes: blockBytes, after: null }];

/** Takes a sweep with traces to a new directory; returns its usable traced hits on the slow disk. */
async function tracedHits(out: string): Promise<TracedRead[]> {
  const few = ['--samples', '1', '--launches', '1', '--no-recompress', '--trace', '--env', 'skip'];
  const words = ['sweep', '--delays', delaysMs.join(','), '--storage', 'nbd-live', ...few];
  const taken = await cachescope(...words, '--out', out);
  expect(taken.code, taken.stderr).toBe(0);
  const { traced = [] } = await readRunOf('sweep', out);
  for (const { cell, flags } of traced.filter((read) => read.flags.length > 0))
    console.warn(`Not replayed: ${cell.arm} at ${cell.delayMs} ms, ${flags.join(', ')}`);
  return usableTraces(traced).filter(({ cell }) => cell.storage !== 'none');
}

/**
 * Replays hits in turns with a single read, and expects that the fastest replay takes as long as the hit's serial reads:
 * one more or one less would show that the chain is not kept, or that memory answers.
 */
async function expectWaits(
  hits: readonly TracedRead[],
  disk: SlowDisk,
  delayMs: number,
): Promise<void> {
  const chains = hits.map(({ deviceReads }) => replayedReads(deviceReads ?? []));
  const all = [...chains, singleRead];
  const fastestMs = all.map(() => Infinity);
  const waitsOf = (index: number) => (fastestMs[index] ?? NaN) / (fastestMs.at(-1) ?? NaN);
  const isUndisturbed = () =>
    hits.every(({ serialReads }, index) => Math.round(waitsOf(index)) <= (serialReads ?? 0));
  for (let taken = 0; taken < mostRepetitions && !isUndisturbed(); taken += repetitions) {
    const times = await replayIn(disk.directory, all, repetitions);
    for (const [index, own] of times.entries())
      fastestMs[index] = Math.min(fastestMs[index] ?? Infinity, ...own);
  }
  expect(fastestMs.at(-1)).toBeGreaterThan(delayMs - 0.2);
  for (const [index, { cell, serialReads }] of hits.entries()) {
    const waits = waitsOf(index);
    expect(Math.round(waits), `${cell.arm} at ${delayMs} ms: ${waits}`).toBe(serialReads);
  }
}

test.skipIf(lacking)(
  'replayed on a device of the same delay, a hit waits as long as its serial reads do one by one',
  async () => {
    const out = join(base, 'traced');
    const hits = await tracedHits(out);
    const disk = await attachStorage({ kind: 'nbd-live', delayWrites: false, privilege });
    try {
      for (const delayMs of delaysMs) {
        await disk.setDelay(delayMs);
        const own = hits.filter(({ cell }) => cell.delayMs === delayMs);
        await expectWaits(own, disk, delayMs);
      }
    } finally {
      await disk.detach();
    }

    const here = await cachescope('storage', 'replay', out, '--on', base);
    expect(here.code, here.stderr).toBe(0);
    const rows = here.stdout.matchAll(/^(\S+) +(\d+) ms +(\d+) +(\d+) /gm);
    const shown = [...rows].map(([, ...fields]) => fields);
    // Of each series, the usable hit at the longest delay.
    const longest = ['Brotli', 'DCB'].map((series) => {
      const own = hits.filter(({ cell }) => seriesName(seriesAt(cell)) === series);
      const hit = own.toSorted((one, other) => other.cell.delayMs - one.cell.delayMs)[0];
      return [series, hit?.cell.delayMs, hit?.deviceReads?.length, hit?.serialReads].map(String);
    });
    expect(shown).toEqual(longest);
    const nowhere = await cachescope('storage', 'replay', out, '--on', join(base, 'nowhere'));
    expect(nowhere.stderr).toMatch(/CS_STORAGE_REPLAY: .*nowhere/);
    expectNothingLeft();
  },
);
