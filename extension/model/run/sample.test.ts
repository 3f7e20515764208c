import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { isUnconfirmed, type Sample, sampleSchema, usable } from './sample.ts';

test('a read takes no time below 0', () => {
  const [sample] = madeUpRun(1).samples;
  const isRead = (readMs: number) => sampleSchema.safeParse({ ...sample, readMs }).success;
  expect([0, 5, -5].map(isRead)).toEqual([true, true, false]);
});

const sample: Sample = {
  sequence: 0,
  cell: { arm: 'dcb', storage: 'nbd-delay', delayMs: 5 },
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
  const flagged: Sample = { ...sample, flags: ['wrong-body'] };
  expect(usable([sample, flagged, { ...sample, kind: 'companion' }])).toEqual([sample]);
});

test('a confirmation read confirms only when it is certain and no witness disagrees', () => {
  const companion: Sample = { ...sample, kind: 'companion' };
  const likely: Sample = {
    ...companion,
    attribution: { ...sample.attribution, confidence: 'likely' },
  };
  const flagged: Sample = { ...companion, flags: ['origin-touched'] };
  const unconfirmed = [sample, companion, likely, flagged].filter(isUnconfirmed);
  expect(unconfirmed).toEqual([likely, flagged]);
  expect(isUnconfirmed({ ...companion, flags: ['suspended'] })).toBe(false);
});
