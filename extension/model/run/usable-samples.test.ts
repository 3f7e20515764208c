import { expect, test } from 'vitest';
import type { Cell, Sample } from './sample.ts';
import { cellsWithoutSamples, unconfirmedReads } from './usable-samples.ts';

const cell: Cell = { arm: 'dcb', storage: 'nbd-delay', delayMs: 5 };
const sample: Sample = {
  sequence: 0,
  cell,
  launch: 0,
  attempt: 1,
  takenAt: '2026-11-20T23:00:01.000Z',
  kind: 'timed',
  readMs: 61,
  timing: null,
  attribution: { source: 'disk', confidence: 'certain', reasons: [] },
  originRequests: 0,
  device: null,
  bodyBytes: 1,
  bodySha256: 'ab',
  flags: [],
};

test('only timed samples without a flag count for a cell', () => {
  const other: Cell = { ...cell, arm: 'br' };
  expect(cellsWithoutSamples([cell, other], [sample])).toEqual([other]);
  expect(cellsWithoutSamples([cell], [{ ...sample, flags: ['wrong-body'] }])).toEqual([cell]);
  expect(cellsWithoutSamples([cell], [{ ...sample, kind: 'companion' }])).toEqual([cell]);
});

test('a confirmation read confirms only when it is certain and no witness disagrees', () => {
  const companion: Sample = { ...sample, kind: 'companion' };
  const likely: Sample = {
    ...companion,
    attribution: { ...sample.attribution, confidence: 'likely' },
  };
  const flagged: Sample = { ...companion, flags: ['origin-touched'] };
  expect(unconfirmedReads([sample, companion, likely, flagged])).toEqual([likely, flagged]);
  expect(unconfirmedReads([{ ...companion, flags: ['suspended'] }])).toEqual([]);
});
