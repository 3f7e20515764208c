import type { Sample } from '@cachescope/model/run/sample.ts';
import { expect, test } from 'vitest';
import { timeBeside } from './time-beside.ts';

function sample(atMs: number, readMs: number, delayMs: number, launch = 0): Sample {
  const takenAt = new Date(atMs).toISOString();
  const cell = { arm: 'br', storage: 'nbd-live', delayMs };
  return {
    kind: 'timed',
    takenAt,
    readMs,
    cell,
    launch,
    evictionMs: 3,
    flags: [],
  } as unknown as Sample;
}

test('time beside reads is what is left between two of one launch, and a change of delay adds its own', () => {
  const samples = [
    sample(0, 10, 1),
    sample(25, 10, 1), // 15 beside the first
    sample(75, 40, 2), // 40 beside the second, at another delay
    sample(5000, 40, 2, 1),
  ];
  expect(timeBeside(samples)).toEqual({ besideMs: 15, evictionMs: 3, delayChangeMs: 25 });
});

test('of a single read nothing is known', () => {
  const unknown = { besideMs: null, evictionMs: null, delayChangeMs: null };
  expect(timeBeside([sample(0, 10, 1)])).toEqual(unknown);
});
