import { expect, test } from 'vitest';
import { explain } from './analysis.ts';
import { explainedSweep } from '../fixtures/explain.ts';
import { recompressed } from '../sweep/recompressed.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';

const { run, samples } = explainedSweep();
// Chromium's own Zstandard takes 20 % less time than Zstandard from the origin, in separate launches.
const own = samples
  .filter(({ cell }) => cell.arm === 'zstd')
  .map((sample) => ({
    ...sample,
    sequence: sample.sequence + 10_000,
    launch: sample.launch + 10_000,
    readMs: 0.8 * sample.readMs,
    cell: { ...sample.cell, arm: 'dcb' as const, variant: recompressed.name },
  }));
const three = { ...run, plan: { ...run.plan, recompress: true } };
const all = [...samples, ...own];

test('the emulation error is its difference from the measured hit, at each point', () => {
  const { emulationErrors, whatIfs, answer } = explain(
    three,
    summarize(three, all),
    readsOf(all),
    [],
  );
  expect(emulationErrors).toHaveLength(2 * 6);
  for (const { share, lowShare, highShare, emulatedMs, measuredMs } of emulationErrors) {
    expect(share).toBeCloseTo(0.25, 6);
    expect(emulatedMs / measuredMs).toBeCloseTo(1.25, 6);
    expect(lowShare).toBeLessThan(0.25);
    expect(highShare).toBeGreaterThan(0.25);
  }
  const forms = new Set(whatIfs.map(({ form }) => form));
  expect(forms).toContain('recompressed');
  expect(answer.join(' ')).toContain('is off by 25 %');
  expect(answer.join(' ')).toContain('A hit stored as Zstandard by Chromium itself is ');
});

test('a run without Chromium’s own recompression has no emulation error', () => {
  const { emulationErrors, answer } = explain(run, summarize(run, samples), readsOf(samples), []);
  expect(emulationErrors).toEqual([]);
  expect(answer.join(' ')).not.toContain('emulation of this');
});
