import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import type { SweepPlan } from './run.ts';
import { seriesName } from './series.ts';
import { summarize } from './summary.ts';

test('with variants every series has its line, with gaps between arms and between variants', () => {
  const { run, samples } = madeUpRun(20, [
    { name: 'stock', slowerBy: 0 },
    { name: 'patched', slowerBy: 0.2 },
  ]);
  const summary = summarize(run, samples);
  const names = summary.fits.map(seriesName);
  expect(names).toEqual(['Brotli (stock)', 'DCB (stock)', 'Brotli (patched)', 'DCB (patched)']);
  const [brStock, , brPatched] = summary.fits;
  const ratio = (brPatched?.slopeMsPerMs ?? 0) / (brStock?.slopeMsPerMs ?? 1);
  expect(ratio).toBeGreaterThan(1.15);
  expect(ratio).toBeLessThan(1.25);
  const gaps = summary.points.at(-1)?.gaps ?? [];
  const pairs = gaps.map(
    ({ between, of, against }) => `${between}: ${seriesName(of)} / ${seriesName(against)}`,
  );
  expect(pairs).toEqual([
    'arms: DCB (stock) / Brotli (stock)',
    'variants: Brotli (patched) / Brotli (stock)',
    'arms: DCB (patched) / Brotli (patched)',
    'variants: DCB (patched) / DCB (stock)',
  ]);
  for (const gap of gaps.filter(({ between }) => between === 'variants')) {
    expect(gap.verdict).toMatchObject({ outcome: 'DIFFERENT', direction: 'greater' });
    expect(gap.relative).toBeGreaterThan(0.1);
    expect(gap.relative).toBeLessThan(0.3);
  }
});

test('verdicts use the margin of the plan, or of its stop rule', () => {
  const { run, samples } = madeUpRun(10, [
    { name: 'stock', slowerBy: 0 },
    { name: 'patched', slowerBy: 0.02 },
  ]);
  const outcomeAt = (more: Partial<SweepPlan>) => {
    const plan = { ...run.plan, ...more };
    const { gaps = [] } = summarize({ ...run, plan }, samples).points.at(-1) ?? {};
    return gaps.find(({ between }) => between === 'variants')?.verdict;
  };
  expect(outcomeAt({})).toMatchObject({ margin: 0.02 });
  expect(outcomeAt({ margin: 0.4 })).toMatchObject({ margin: 0.4, outcome: 'SAME' });
  expect(outcomeAt({ stopRule: { precision: 0.03, margin: 0.4 } })).toMatchObject({ margin: 0.4 });
});

test('under a stop rule verdicts use the significance level that the looks left', () => {
  const { run, samples } = madeUpRun(10);
  const plan = { ...run.plan, stopRule: { precision: 0.03, margin: 0.05 } };
  const gapAfter = (reason: 'comparison decided' | 'max time', looks: number[]) =>
    summarize({ ...run, plan, stopped: { reason, looks } }, samples).points.at(-1)?.gaps[0];
  // Half of the 5 % is for the interim looks, and the second look may spend a sixth of it.
  const decided = gapAfter('comparison decided', [20, 30]);
  expect(decided?.confidence).toBeCloseTo(1 - 0.05 / 2 / 6, 9);
  expect(decided?.sentence).toMatch(/\(99\.58 % interval /);
  expect(decided?.verdict.margin).toBe(0.05);
  // The other half is for the final test.
  expect(gapAfter('max time', [20, 30])?.confidence).toBeCloseTo(0.975, 9);
});

test('the gaps of one question are one family, over delays and arms', () => {
  const { run, samples } = madeUpRun(10, [
    { name: 'stock', slowerBy: 0 },
    { name: 'patched', slowerBy: 0 },
  ]);
  const gaps = summarize(run, samples).points.flatMap((point) => point.gaps);
  expect(gaps).toHaveLength(48);
  // 12 points: DCB against Brotli in both variants, and patched against stock in both arms.
  expect(new Set(gaps.map(({ family }) => family))).toEqual(new Set([24]));
  const variants = gaps.filter(({ between }) => between === 'variants');
  expect(variants.filter(({ verdict }) => verdict.outcome === 'DIFFERENT')).toEqual([]);
  const known = variants.map(({ verdict }) => verdict.p ?? 0);
  expect(Math.min(...known)).toBeGreaterThan(0.05);
});
