import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test, vi } from 'vitest';

// There is no browser here: the theme module reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
const { sweepFigures } = await import('./figures.ts');
const { tailChart } = await import('./bars.ts');

test('a sweep without a slow disk has no figures of its delays and reads', () => {
  const { run, samples } = madeUpRun();
  const control = samples.filter(({ cell }) => cell.storage === 'none');
  const onlyControl = { ...run, plan: { ...run.plan, delaysMs: [] }, proofs: [] };
  const idsOf = (summary: ReturnType<typeof summarize>) =>
    sweepFigures(summary, []).map(({ id }) => id);
  expect(idsOf(summarize(run, samples))).toEqual(
    expect.arrayContaining(['gap', 'device-reads', 'device-bytes']),
  );
  expect(idsOf(summarize(onlyControl, control)).toSorted()).toEqual(['bytes', 'read-time']);
});

test('the tails of a profile have the medians of the tables', () => {
  const { run, samples } = madeUpRun();
  const arms = summarize(run, samples).points.at(-1)?.arms ?? [];
  const tail = { medianMs: 20, p95Ms: 40, p99Ms: null };
  const reads = arms.map((arm) => ({ ...arm, tail, predictedP95Ms: 44, errorShare: 0.1 }));
  const device = { medianMs: 2, p95Ms: 8.5, p99Ms: 15, reads: 100 };
  const { bars } = tailChart({ name: 'disk', device, reads, gaps: [] });
  expect(bars.filter(({ series }) => series === 'median').map(({ value }) => value)).toEqual([
    2,
    ...arms.map(({ medianMs }) => medianMs),
  ]);
  // The device has no prediction.
  expect(bars.filter(({ series }) => series === 'p95 predicted')).toHaveLength(reads.length);
});
