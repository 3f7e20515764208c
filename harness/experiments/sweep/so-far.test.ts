import type { Cell, Sample } from '@cachescope/model/run/sample.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { resultSoFar } from './so-far.ts';

const plan: SweepPlan = {
  arms: ['br', 'dcb'],
  delaysMs: [0, 5],
  storage: 'nbd-live',
  delayWrites: false,
  samplesPerCell: 2,
  launchesPerPoint: 1,
  recompress: true,
  seed: 1,
  workload: { name: 'w', title: 'w', resourceBytes: 1, resourceSha256: '', dictionaryBytes: 1 },
};

function read(arm: 'br' | 'dcb', delayMs: number | null, readMs: number, over = {}): Sample {
  const where =
    delayMs === null ? { storage: 'none', delayMs: 0 } : { storage: 'nbd-live', delayMs };
  const cell = { arm, ...where } as Cell;
  return { kind: 'timed', cell, readMs, flags: [], ...over } as unknown as Sample;
}

const control = [read('br', null, 10), read('dcb', null, 12)];
const flagged = read('dcb', 5, 999, { flags: ['network'] });

test('the first result is reported once the control and one delay are known for both arms', () => {
  const sentenceOf = (samples: Sample[]) => resultSoFar(plan, samples).sentence();
  expect(sentenceOf([])).toBeNull();
  expect(sentenceOf([...control, read('br', 5, 30), flagged])).toBeNull();
  expect(sentenceOf([...control, read('br', 5, 30), flagged, read('dcb', 5, 70)])).toBe(
    'Preliminary, from the first reads: Brotli 10 ms, DCB 12 ms on the control; Brotli 30 ms, DCB 70 ms at 5 ms',
  );
});

test('the preliminary table has the medians of the reads taken, and no row for a delay without usable reads', () => {
  const samples = [...control, read('dcb', 5, 70), read('dcb', 5, 80), flagged];
  expect(resultSoFar(plan, samples).table()).toEqual([
    'Preliminary: median of a cached read so far, ms',
    'IO delay  Brotli  DCB  DCB recompressed',
    'control       10   12                  ',
    '5 ms               75                  ',
    '',
  ]);
  expect(resultSoFar(plan, []).table()).toEqual([]);
});
