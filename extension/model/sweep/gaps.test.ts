import { expect, test } from 'vitest';
import { madeUpRun } from '../../test/made-up-run.ts';
import { seriesName } from './sweep-series.ts';
import { summarize } from './sweep-summary.ts';

test('with variants every series has its line, and gaps stand between arms and between variants', () => {
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

test('under a stop rule verdicts are judged at the level that the looks left', () => {
  const { run, samples } = madeUpRun(10);
  const plan = { ...run.plan, stopRule: { precision: 0.03, margin: 0.05 } };
  const gapAfter = (reason: 'comparison decided' | 'max time', looks: number[]) =>
    summarize({ ...run, plan, stopped: { reason, looks } }, samples).points.at(-1)?.gaps[0];
  // Half of 5 % is for the looks, of which the second may spend a sixth; an interval of 1 - 2 alpha.
  const decided = gapAfter('comparison decided', [20, 30]);
  expect(decided?.confidence).toBeCloseTo(1 - (2 * 0.05) / 2 / 6, 9);
  expect(decided?.sentence).toMatch(/\(99\.2 % interval /);
  expect(decided?.verdict.margin).toBe(0.05);
  // The other half is for the end.
  expect(gapAfter('max time', [20, 30])?.confidence).toBeCloseTo(0.95, 9);
});

test('the points of a pair pay for their number together, and pairs apart', () => {
  const { run, samples } = madeUpRun(10);
  const all = summarize(run, samples).points.map(({ gaps }) => gaps[0]?.verdict.p ?? null);
  const some = samples.filter(({ cell }) => cell.delayMs === 1);
  const [one] = summarize({ ...run, proofs: [] }, some).points;
  const alone = one?.gaps[0]?.verdict.p ?? Number.NaN;
  // Holm: at most 12 times the p-value of the point by itself, and no less than it.
  expect(all[2]).toBeGreaterThanOrEqual(alone);
  expect(all[2]).toBeLessThanOrEqual(12 * alone);
});
