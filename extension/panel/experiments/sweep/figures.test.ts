import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test, vi } from 'vitest';

// There is no browser here: the theme module reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
const { sweepFigures } = await import('./figures.ts');

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
