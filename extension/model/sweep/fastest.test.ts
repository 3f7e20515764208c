import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { fastestSentences } from './fastest.ts';
import { isRecompressed } from './recompressed.ts';
import { summarize } from './summary.ts';

test('a run with a recompressed series names the fastest; series that no verdict separates are named together', () => {
  const { run, samples } = madeUpRun(20, [], true);
  const { points, fits, finding } = summarize(run, samples);
  expect(fastestSentences(points, fits)).toEqual([
    'The fastest cached read: DCB on the control; Brotli, DCB, or DCB recompressed (no difference shown) at 0 ms; Brotli or DCB recompressed (no difference shown) at 1 to 2 ms; Brotli at 3 to 10 ms.',
  ]);
  expect(finding[0]).toBe(fastestSentences(points, fits)[0]);
});

test('a series without a usable read at a point is named there: it may be the fastest', () => {
  const { run, samples } = madeUpRun(20, [], true);
  const flagged = samples.map((sample) => {
    const { variant, delayMs } = sample.cell;
    const isLost = variant === 'recompressed' && delayMs === 5;
    return isLost ? { ...sample, flags: ['wrong-body' as const] } : sample;
  });
  const { points, fits } = summarize(run, flagged);
  expect(fastestSentences(points, fits)).toEqual([
    'The fastest cached read: DCB on the control; Brotli, DCB, or DCB recompressed (no difference shown) at 0 ms; Brotli at 1 ms, 3 to 4 ms, 6 to 10 ms; Brotli or DCB recompressed (no difference shown) at 2 ms; Brotli (no usable read of DCB recompressed) at 5 ms.',
  ]);
});

test('a baseline without a usable read at a point is named there too', () => {
  const { run, samples } = madeUpRun(20, [], true);
  const flagged = samples.map((sample) => {
    const { arm, delayMs } = sample.cell;
    return arm === 'br' && delayMs === 10 ? { ...sample, flags: ['wrong-body' as const] } : sample;
  });
  const { points, fits } = summarize(run, flagged);
  expect(fastestSentences(points, fits)[0]).toContain(
    '; DCB recompressed (no usable read of Brotli) at 10 ms.',
  );
});

test('series without a gap between them are not called equal', () => {
  const { run, samples } = madeUpRun(20, [], true);
  const { points, fits } = summarize(run, samples);
  const fewer = points.map((point) => ({
    ...point,
    gaps: point.gaps.filter(({ of, against }) => !(isRecompressed(of) && against.arm === 'br')),
  }));
  expect(fastestSentences(fewer, fits)[0]).toMatch(
    /Brotli or DCB recompressed \(not all compared with each other\) at 1 to 10 ms\.$/,
  );
});

test('a run of two series does not name a fastest series', () => {
  const { run, samples } = madeUpRun(10);
  const { points, fits } = summarize(run, samples);
  expect(fastestSentences(points, fits)).toEqual([]);
});
