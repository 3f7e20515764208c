import { expect, test } from 'vitest';
import type { HitModel } from './hit-model.ts';
import { predictHit } from './hit-prediction.ts';
import type { WaitModel } from './wait-model.ts';

/** Counts for a cached body of 1 MiB at a read-ahead of 128 KiB: 13 device reads, 5 of them independent of its size. */
const model: HitModel = {
  series: { arm: 'identity' },
  baseMs: 10,
  baseInterval: null,
  waits: 13,
  waitsInterval: null,
  points: [],
  verdict: 'holds',
  why: null,
  curvature: null,
  draws: [],
};
const waitModel: WaitModel = {
  fixedWaits: 5,
  bytesPerWait: 131_072,
  points: [],
  medianErrorShare: 0,
};
const inputs = { ownMsPerByte: null, ownReadAheadKiB: 128, waitModel };
const endless = { delayMs: 1, bandwidthBytesPerSecond: Number.POSITIVE_INFINITY };

test.each([
  [0, 263],
  [32, 21],
  [128, 13],
  [512, 8],
])(
  'with a read-ahead of %i KiB it waits about %i times, which matches the counted reads',
  (readAheadKiB, counted) => {
    const { readMs } = predictHit(model, 1_048_576, { ...endless, readAheadKiB }, inputs);
    expect(Math.abs(((readMs ?? 0) - 10) / counted - 1)).toBeLessThan(0.13);
  },
);

test('the transfer time of the run’s own device is already in the base', () => {
  const device = { delayMs: 0, bandwidthBytesPerSecond: 50e6 };
  const slower = predictHit(model, 1e6, device, { ...inputs, ownMsPerByte: 1000 / 100e6 });
  expect(slower.readMs).toBeCloseTo(10 + 20 - 10, 9);
  const faster = predictHit(model, 1e6, device, { ...inputs, ownMsPerByte: 1000 / 10e6 });
  expect(faster.readMs).toBe(10);
});

test('unknown values are reported as unknown, not estimated', () => {
  const other = { ...endless, readAheadKiB: 64 };
  expect(predictHit(model, 1e6, other, { ...inputs, waitModel: null })).toMatchObject({
    readMs: null,
    why: 'how the waits depend on read-ahead is unknown',
  });
  expect(predictHit(model, null, endless, inputs).why).toContain('not counted');
  const failing: HitModel = { ...model, verdict: 'fails', why: 'it is off' };
  expect(predictHit(failing, 1e6, endless, inputs)).toMatchObject({
    readMs: null,
    why: 'the model fails: it is off',
  });
});
