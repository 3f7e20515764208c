import type { Sample } from '@cachescope/model/run/sample.ts';
import { expect, test } from 'vitest';
import { timeBetweenReads } from './time-between-reads.ts';

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

test('the time between reads is the rest between two reads of one launch; a change of delay adds its own time', () => {
  const samples = [
    sample(0, 10, 1),
    sample(25, 10, 1), // 15 ms after the first read
    sample(75, 40, 2), // 40 ms after the second read, at another delay
    sample(5000, 40, 2, 1),
  ];
  expect(timeBetweenReads(samples)).toEqual({ betweenMs: 15, evictionMs: 3, delayChangeMs: 25 });
});

test('with a single read all times are unknown', () => {
  const unknown = { betweenMs: null, evictionMs: null, delayChangeMs: null };
  expect(timeBetweenReads([sample(0, 10, 1)])).toEqual(unknown);
});
