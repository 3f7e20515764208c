import type { Sample } from '@cachescope/model/run/sample.ts';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { machineGaps, machineSentences } from '@cachescope/model/sweep/machine-gaps.ts';
import { readsOf } from '@cachescope/model/sweep/reads.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { forestPlots, machinesCsv } from './forest-plot.ts';
import { pageText } from '../../results/page-text.ts';
import { sweep } from './experiment.ts';

/** DCB is slower than Brotli by 10 % on m1, 20 % on m2, and so on. */
const tenths = ({ cell, launch }: Sample, number: number) =>
  (cell.arm === 'dcb' ? 10 + number : 10) * (1 + (launch % 5) / 1000) * number;

test('a merged sweep of four machines names each machine and states the scope of its intervals', () => {
  const document = madeUpMachines(4, tenths);
  const summary = sweep.summarize(document);
  const [first] = summary.machines ?? [];
  expect(first?.pooled.machines.map(({ machine, relative }) => [machine, relative])).toEqual(
    [1, 2, 3, 4].map((number) => [`m${number}`, expect.closeTo(number / 10, 6)]),
  );
  expect(summary.finding.join(' ')).toContain(
    'Effects over 4 machines hold for any machine of their kind',
  );
  expect(sweep.files(document, summary)['machines.csv']).toContain('m4');
  const { run } = document;
  expect(pageText(sweep.page(document, summary), run, summary.trust)).toContain('m4');
});

test('machines that disagree are named, with the smallest and the largest effect', () => {
  const { run, samples } = madeUpMachines(4, tenths);
  const gaps = machineGaps(run, [{ storage: 'none', requestedDelayMs: 0 }], readsOf(samples));
  expect(machineSentences(gaps)[1]).toMatch(
    /^Machines disagree on DCB against Brotli at the control: \+10\.0 % on m1, \+40\.0 % on m4 \(I² 100 %\)\.$/,
  );
});

test('with fewer than four machines the finding says that it holds for these machines only', () => {
  const { run, samples } = madeUpMachines(3);
  expect(summarize(run, samples).finding.join(' ')).toContain(
    'Effects hold for these machines only (m1, m2, m3)',
  );
});

test('a forest plot has a row per machine, the pooled effect and a next machine, with no effect marked', () => {
  const { run, samples } = madeUpMachines(4, tenths);
  const gaps = machineGaps(run, [{ storage: 'none', requestedDelayMs: 0 }], readsOf(samples));
  const lines = forestPlots(gaps).trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'DCB',
    'm1',
    'm2',
    'm3',
    'm4',
    'all',
    'next',
    'I²',
    'Variance',
  ]);
  const zero = new Set(lines.slice(1, 5).map((line) => line.indexOf('|')));
  expect(zero.size).toBe(1);
  const estimates = lines.slice(1, 5).map((line) => line.indexOf('*'));
  expect(estimates).toEqual(estimates.toSorted((a, b) => a - b));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(machinesCsv(gaps).trimEnd().split('\n')).toHaveLength(6);
});

test('with several reads in a launch the plot and the table tell where the variance comes from', () => {
  const { run, samples } = madeUpMachines(4, tenths);
  const several = samples.map((sample) => ({
    ...sample,
    launch: Math.floor(sample.launch / 8),
    takenAt: new Date(300 * sample.sequence + 4000 * Math.floor(sample.launch / 8)).toISOString(),
  }));
  const gaps = machineGaps(run, [{ storage: 'none', requestedDelayMs: 0 }], readsOf(several));
  const { now, halved } = gaps[0]?.variance ?? {};
  expect(now).toMatchObject({ machines: 4, launches: 2 });
  expect(halved?.machines).toBeGreaterThan(4);
  const text = forestPlots(gaps);
  expect(text).toContain('SD between machines');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `least machine time: ${halved?.machines} machines x ${halved?.launches} launches`,
  );
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const last = machinesCsv(gaps).trimEnd().split('\n').at(-1)?.split(',') ?? [];
  expect(last.slice(-3)).toEqual([halved?.machines, halved?.launches, halved?.reads].map(String));
});

test('a run that was not merged has no machines', () => {
  const { run, samples } = madeUpShard(1, 2);
  expect(summarize(run, samples)).not.toHaveProperty('machines');
});
