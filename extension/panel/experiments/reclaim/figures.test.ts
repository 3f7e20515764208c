import {
  madeUpPass,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import { summarizeReclaim } from '@cachescope/model/reclaim/summary.ts';
import { expect, test, vi } from 'vitest';

// There is no browser here: the theme module reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
const { reclaimFigures } = await import('./figures.ts');

test('the figure of entries counts every eviction pass, including passes reported together', () => {
  const run = madeUpReclaimRun();
  const windows = [madeUpReclaimWindow(0), madeUpReclaimWindow(1)];
  const passes = [madeUpPass(500), madeUpPass(600, { times: 424, evicted: 424 })];
  const summary = summarizeReclaim(run, [...windows, ...passes]);
  const figures = reclaimFigures({ plan: run.plan, windows, passes, summary });
  expect(figures.find(({ id }) => id === 'reclaim-entries')?.caption).toContain(
    'The first of 425 eviction passes came after 0.5 s; 724 entries were evicted in total.',
  );
});

test('evictions that were observed from outside are counted by sampling intervals', () => {
  const run = madeUpReclaimRun({ system: 'chromium' });
  const windows = [madeUpReclaimWindow(0), madeUpReclaimWindow(1)];
  const passes = [madeUpPass(500, { how: 'observed' }), madeUpPass(600, { how: 'observed' })];
  const summary = summarizeReclaim(run, [...windows, ...passes]);
  const figures = reclaimFigures({ plan: run.plan, windows, passes, summary });
  expect(figures.find(({ id }) => id === 'reclaim-entries')?.caption).toContain(
    'Entries were evicted in 2 sampling intervals, first after 0.5 s; at least 600 entries in total. An interval may hold several passes.',
  );
});
