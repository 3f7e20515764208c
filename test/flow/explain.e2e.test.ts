import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '@cachescope/model/explain/analysis.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  type Ended,
  expectNothingLeft,
  lacking,
  lastTaken,
  ownFlags,
} from '../command-under-test.ts';

describe.skipIf(lacking)('an explained sweep, one launch at every delay', () => {
  const out = join(base, 'explain');
  let ended: Ended;
  let document: Awaited<ReturnType<typeof readRunOf<'sweep'>>>;
  let slow: Sample[];

  beforeAll(async () => {
    const words = '--delays 0,4,8 --arms br,dcb --samples 1 --launches 1 --seed 8 --no-trace';
    const workloads = '--workload synthetic:1MiB --sizes 10KiB --storage nbd-live';
    const args = [...words.split(' '), ...workloads.split(' '), '--out', out];
    ended = await cachescope('explain', ...args);
    document = await readRunOf('sweep', out);
    slow = lastTaken(document.samples).filter(({ cell }) => cell.storage !== 'none');
  });

  test('samples every arm of every workload', () => {
    expect(ended.stdout).toContain(join(out, 'report.html'));
    expect(ended.code, ended.stderr).toBe(0);
    expect(document.run.status).toBe('complete');
    const timed = slow.filter(({ kind }) => kind === 'timed');
    // Two workloads with two arms and recompressed DCB.
    expect(timed).toHaveLength(3 * 2 * 3);
    expect(timed.flatMap(ownFlags)).toEqual([]);
    const stored = (workload: string, arm: string) =>
      document.run.stored.find((entry) => entry.workload === workload && entry.arm === arm);
    expect(stored('synthetic:1MiB', 'dcb')?.storedBytes).toBeGreaterThan(1024 ** 2);
  });

  test('a first load reads the dictionary from the slow disk; a load without a dictionary and a hit do not', () => {
    const reads = (arm: string, kind: Sample['kind']) =>
      slow
        .filter((sample) => sample.kind === kind && sample.cell.arm === arm)
        .filter(({ cell }) => cell.workload === 'synthetic:1MiB' && cell.variant === undefined);
    const megabytes = (arm: string, kind: Sample['kind']) =>
      reads(arm, kind)
        .filter(({ flags }) => flags.length === 0)
        .map(({ device }) => (device?.readBytes ?? 0) / 1024 ** 2);
    const loads = reads('dcb', 'first load');
    expect(loads).toHaveLength(3);
    // Chromium keeps a dictionary in memory, so these have a launch for each delay; the hits share one.
    const launchesOf = (of: readonly Sample[]) => new Set(of.map(({ launch }) => launch)).size;
    expect(launchesOf(loads)).toBe(3);
    // A hit that is taken again has a launch of its own.
    expect(launchesOf(reads('dcb', 'timed'))).toBeLessThan(3);
    // Until Chromium has read the metadata of its dictionaries, it sends requests without one; such a sample is
    // flagged.
    const flags = loads.flatMap(ownFlags);
    expect(flags.filter((flag) => flag !== 'origin-unasked')).toEqual([]);
    expect(megabytes('dcb', 'first load').length).toBeGreaterThan(0);
    for (const read of megabytes('dcb', 'first load')) expect(read).toBeGreaterThan(0.95);
    for (const read of megabytes('br', 'first load')) expect(read).toBeLessThan(0.5);
    for (const read of megabytes('dcb', 'timed')) expect(read).toBeLessThan(1.5);
  });

  test('the explanation is printed, written, and derived again from the saved files', () => {
    expect(ended.stdout).toContain('Hit, ms, by the form');
    for (const name of ['explanation.txt', 'model.csv', 'predictions.csv', 'stored-forms.csv'])
      expect(existsSync(join(out, name)), name).toBe(true);
    const { run, samples, traced = [] } = document;
    const again = explain(run, summarize(run, samples), readsOf(samples), traced);
    expect(again.models).toHaveLength(6);
    const told = readFileSync(join(out, 'explanation.txt'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(told).toContain('Should a browser compress a DCB response');
    for (const sentence of again.answer) expect(told).toContain(sentence);
    // The stored DCB entry is larger, so a hit causes more device reads, by the device's own counters.
    const deviceReads = (arm: string) =>
      slow
        .filter(({ kind, cell }) => kind === 'timed' && cell.arm === arm)
        .filter(({ cell }) => cell.workload === 'synthetic:1MiB' && cell.variant === undefined)
        .map(({ device }) => device?.reads ?? 0);
    expect(deviceReads('dcb')).toHaveLength(3);
    expect(Math.min(...deviceReads('dcb'))).toBeGreaterThan(Math.max(...deviceReads('br')));
  });

  test('leaves nothing behind', () => expectNothingLeft());
});
