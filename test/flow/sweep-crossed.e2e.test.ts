import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, cachescope, expectNothingLeft, lacking, lastTaken } from '../command-under-test.ts';

const words = 'sweep 0 8 4 --samples 4 --launches 2 --seed 7 --no-recompress --storage nbd-live';
const plan = [...words.split(' '), '--workload', 'synthetic:100KiB', '--env', 'skip'];
const delaysMs = [0, 4, 8];
const profile = {
  name: 'tail',
  source: 'made up',
  read: { kind: 'recorded', quantilesMs: [5, 9] },
};

describe.skipIf(lacking)(
  'a sweep over nbd-live, whose delay changes while the browser runs',
  () => {
    const out = join(base, 'crossed');
    const samplesFile = join(out, 'samples.ndjson');
    const timedOf = (samples: readonly Sample[]) =>
      lastTaken(samples).filter(({ kind }) => kind === 'timed');

    beforeAll(async () => {
      const file = join(base, 'profile.json');
      writeFileSync(file, JSON.stringify(profile));
      const ended = await cachescope(...plan, '--profile', file, '--out', out);
      expect(ended.code, ended.stderr).toBe(0);
    });

    test('each launch reads every arm at every delay and with the profile, and the control has launches of its own', async () => {
      const { run, samples } = await readRunOf('sweep', out);
      expect(run.plan.crossed).toBe(true);
      expect(new Set(samples.map(({ launch }) => launch)).size).toBeGreaterThanOrEqual(4);
      // A read that is taken again has a launch of its own, in the same pass.
      const launches = Map.groupBy(timedOf(samples), ({ pass, cell }) => `${pass} ${cell.storage}`);
      expect(launches.size).toBe(4);
      for (const [launch, taken] of launches) {
        const counts = Map.groupBy(taken, ({ cell }) => cellKey(cell));
        const isControl = taken[0]?.cell.storage === 'none';
        const places = isControl
          ? [{ storage: 'none', delayMs: 0 } as const]
          : [...delaysMs.map((delayMs) => ({ delayMs })), { delayMs: 0, profile: 'tail' }].map(
              (place) => ({ storage: 'nbd-live', ...place }) as const,
            );
        const keys = places.flatMap((place) =>
          (['br', 'dcb'] as const).map((arm) => cellKey({ ...place, arm })),
        );
        expect([...counts.keys()].toSorted(), `launch ${launch}`).toEqual(keys.toSorted());
        for (const same of counts.values()) expect(same).toHaveLength(2);
        expect(taken.every(({ evictionMs = 0 }) => evictionMs > 0)).toBe(true);
      }
    });

    test('each read has its requested delay, and each change of delay is proved', async () => {
      const { run, samples } = await readRunOf('sweep', out);
      const slow = timedOf(samples).filter(({ cell }) => cell.storage !== 'none');
      for (const { cell, device, readMs } of slow) {
        expect(device?.reads).toBeGreaterThan(0);
        // A read on a hit waits for the device at least once; the profile takes at least 5 ms.
        expect(readMs).toBeGreaterThan(cell.profile === undefined ? cell.delayMs : 5);
      }
      const proofs = run.proofs.filter(({ storage }) => storage === 'nbd-live');
      // Two rounds in each of two launches; the last launch also takes the confirmation reads.
      for (const delayMs of delaysMs) {
        const own = proofs.filter(({ requestedDelayMs }) => requestedDelayMs === delayMs);
        expect(own.length).toBeGreaterThanOrEqual(delayMs === 0 ? 3 : 4);
        for (const { p50Ms } of own) expect(p50Ms).toBeGreaterThan(delayMs - 0.2);
        expect(own[0]?.throughputBytesPerSecond).toBeGreaterThan(0);
      }
      const timesMs = run.profileReads?.flatMap((taken) => taken.timesMs) ?? [];
      expect(run.plan.profile).toEqual(profile);
      expect(Math.min(...timesMs)).toBeGreaterThan(4.8);
      // Latencies that did not vary would pass the check above too.
      expect(Math.max(...timesMs) - Math.min(...timesMs)).toBeGreaterThan(2);
    });

    test('a run interrupted within a launch resumes in the order of its plan', async () => {
      const lines = readFileSync(samplesFile, 'utf8').trimEnd().split('\n');
      const order = lines.map((line): Sample => JSON.parse(line));
      // In the middle of the first launch on the slow disk: four reads of the control, and five of sixteen.
      const kept = lines.slice(0, 9);
      expect(order[9]?.launch).toBe(order[8]?.launch);
      writeFileSync(samplesFile, `${kept.join('\n')}\n`);
      const runFile = join(out, 'run.json');
      const saved = JSON.parse(readFileSync(runFile, 'utf8'));
      writeFileSync(runFile, JSON.stringify({ ...saved, status: 'running' }));
      const ended = await cachescope('sweep', '--resume', out);
      expect(ended.code, ended.stderr).toBe(0);
      const { samples } = await readRunOf('sweep', out);
      const cellsOf = (all: readonly Sample[]) => timedOf(all).map(({ cell }) => cellKey(cell));
      expect(cellsOf(samples)).toEqual(cellsOf(order));
      expect(samples[9]?.launch).toBeGreaterThan(samples[8]?.launch ?? Infinity);
      expectNothingLeft();
    });
  },
);
