import { expect, test } from 'vitest';
import { explainedSweep } from '../fixtures/explain.ts';
import { hitModel, type HitModel } from './hit-model.ts';
import { pointsOfSeries } from './hit-model-point.ts';
import { serialReadWitnesses } from './serial-read-witness.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';
import type { TracedRead } from './traced-read.ts';

const { run, samples } = explainedSweep();
const summary = summarize(run, samples);
const models = pointsOfSeries(run, summary.points, readsOf(samples))
  .map(({ series, points }) => hitModel(series, points))
  .filter((model): model is HitModel => model !== null);

function traced(serialReads: number | null, more: Partial<TracedRead> = {}): TracedRead {
  return {
    cell: { arm: 'dcb', workload: 'big', storage: 'nbd-delay', delayMs: 5 },
    takenAt: '2026-11-20T23:00:00Z',
    backEnd: 'simple',
    readMs: 60,
    durationMs: 60,
    steps: {} as TracedRead['steps'],
    spans: [{ step: 'bodyRead', startMs: 0, endMs: 60 }],
    deviceReads: null,
    deviceWitness: null,
    serialReads,
    countedReads: null,
    syscalls: null,
    traceBytes: 1,
    traceEvents: 1,
    flags: [],
    ...more,
  };
}

function judged(reads: readonly TracedRead[]) {
  return serialReadWitnesses(models, reads).find(
    ({ series }) => series.arm === 'dcb' && series.workload === 'big',
  );
}

test('slope and count agree within 5 %, and their difference is reported', () => {
  const witness = judged([traced(11), traced(10), traced(11)]);
  expect(witness).toMatchObject({ serialReads: 11, traced: 3, verdict: 'agree' });
  expect(witness?.differenceShare).toBeCloseTo(0, 1);
  expect(judged([traced(14)])?.verdict).toBe('disagree');
});

test('reads that overlap only partly keep the device busy for longer than their chain', () => {
  // Two at a time, each taking twice as long: 11 delays of 5.1 ms, in a chain of 6.
  const deviceReads = Array.from({ length: 11 }, (_, index) => ({
    startMs: 5.1 * index,
    endMs: 5.1 * (index + 1) + (index < 10 ? 4 : 0),
    offset: 0,
    bytes: 131_072,
    kind: 'body' as const,
  }));
  const witness = judged([traced(6, { deviceReads })]);
  expect(witness?.busyWaits).toBeCloseTo(11, 9);
  expect(witness).toMatchObject({ serialReads: 6, verdict: 'agree' });
});

test('reads that the hit did not wait for, and the time before it, do not count', () => {
  const of = (startMs: number, endMs: number) => ({
    startMs,
    endMs,
    offset: 0,
    bytes: 131_072,
    kind: 'body' as const,
  });
  const deviceReads = [of(-20, 5.1), of(5.1, 56.1), of(58, 90)];
  expect(judged([traced(11, { deviceReads })])?.busyWaits).toBeCloseTo(11, 9);
});

test('without a count there is no verdict; the control and flagged traces do not count', () => {
  const none = { serialReads: null, differenceShare: null, verdict: 'unknown' };
  expect(judged([])).toMatchObject(none);
  expect(judged([traced(null)])).toMatchObject(none);
  const cell = { arm: 'dcb' as const, workload: 'big', storage: 'none' as const, delayMs: 0 };
  expect(judged([traced(11, { cell })])).toMatchObject(none);
  expect(judged([traced(11, { flags: ['network-used'] })])).toMatchObject(none);
});
