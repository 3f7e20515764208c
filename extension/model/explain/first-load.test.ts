import { expect, test } from 'vitest';
import { explainedSweep } from '../fixtures/explain.ts';
import { firstLoadFlags, firstLoadGaps } from './first-load.ts';
import type { Sample } from '../run/sample.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';

test.each([
  [{ originRequests: 1, coding: 'dcb' as const, bodySha256: 'a' }, []],
  [{ originRequests: 0, coding: null, bodySha256: 'a' }, ['origin-unasked']],
  [{ originRequests: 2, coding: 'dcb' as const, bodySha256: 'a' }, ['origin-unasked']],
  [{ originRequests: 1, coding: 'identity' as const, bodySha256: 'a' }, ['origin-unasked']],
  [{ originRequests: 1, coding: 'dcb' as const, bodySha256: 'b' }, ['wrong-body']],
  [{ originRequests: 1, coding: 'dcb' as const, bodySha256: '' }, ['read-failed']],
])('%j has the flags %j', (evidence, flags) => {
  expect(firstLoadFlags(evidence, 'dcb', 'a')).toEqual(flags);
});

test('loads with and without a dictionary are tested at each point, flagged loads are excluded', () => {
  const { run, samples } = explainedSweep({ arms: ['br', 'dcb'], sizes: [10_240] });
  const template = samples.find(({ cell }) => cell.storage !== 'none') as Sample;
  const load = (arm: 'br' | 'dcb', delayMs: number, readMs: number, launch: number): Sample => ({
    ...template,
    sequence: samples.length,
    kind: 'first load',
    cell: { ...template.cell, arm, delayMs },
    launch,
    readMs,
    device: {
      reads: arm === 'dcb' ? 10 : 5,
      readBytes: arm === 'dcb' ? 4096 : 1,
      writes: 0,
      writtenBytes: 0,
    },
  });
  const loads = [2, 5].flatMap((delayMs) =>
    Array.from({ length: 6 }, (_, index) => [
      load('dcb', delayMs, 20 + 10 * delayMs + index / 10, index),
      load('br', delayMs, 20 + 5 * delayMs + index / 10, index),
    ]).flat(),
  );
  const wild: Sample = { ...load('dcb', 5, 9999, 3), flags: ['origin-unasked'] };
  // Older runs have first loads of the browser that recompresses.
  const others = loads.map((each) => ({
    ...each,
    cell: { ...each.cell, variant: 'recompressed' },
    readMs: 9999,
  }));
  const all = [...samples, ...loads, ...others, wild];
  const gaps = firstLoadGaps(run, summarize(run, samples), readsOf(all));
  expect(gaps.map(({ requestedDelayMs }) => requestedDelayMs)).toEqual([2, 5]);
  expect(gaps[1]).toMatchObject({ of: 'dcb', against: 'br', flagged: 1, ofDeviceReads: 10 });
  expect(gaps[1]).toMatchObject({ ofDeviceReadBytes: 4096, againstDeviceReadBytes: 1 });
  expect(gaps[1]?.differenceMs).toBeCloseTo(25, 3);
  expect(gaps[1]?.verdict.outcome).toBe('DIFFERENT');
  const wide = { ...run, plan: { ...run.plan, margin: 0.3 } };
  const [judged] = firstLoadGaps(wide, summarize(run, samples), readsOf(all));
  expect(judged?.verdict.margin).toBe(0.3);
  expect(firstLoadGaps(run, { ...summarize(run, samples), points: [] }, readsOf(samples))).toEqual(
    [],
  );

  // Where the browser did not know its dictionary yet, every load is flagged: the point stays, with their number.
  const unasked = all.map((each): Sample => {
    const isUnasked = each.kind === 'first load' && each.cell.arm === 'dcb';
    return isUnasked && each.cell.delayMs === 5 ? { ...each, flags: ['origin-unasked'] } : each;
  });
  const [sound, none] = firstLoadGaps(run, summarize(run, samples), readsOf(unasked));
  expect(sound?.verdict.outcome).toBe('DIFFERENT');
  expect(none).toMatchObject({ requestedDelayMs: 5, ofMs: null, differenceMs: null, flagged: 7 });
  expect(none?.verdict.outcome).toBe('UNKNOWN');
});
