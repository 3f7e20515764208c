import { expect, test } from 'vitest';
import { madeUpPass, madeUpReclaimRun, madeUpReclaimWindow } from '../fixtures/reclaim.ts';
import { reclaim } from './declaration.ts';
import type { EvictionPass } from './eviction-pass.ts';
import type { ReclaimPlan } from './plan.ts';

/** What the page says of evictions. */
function evictions(plan: Partial<ReclaimPlan>, passes: readonly EvictionPass[]) {
  const windows = [madeUpReclaimWindow(0), madeUpReclaimWindow(1)];
  const document = { run: madeUpReclaimRun(plan), lines: [...windows, ...passes] };
  const { sections, charts } = reclaim.page(document, reclaim.summarize(document));
  const terms = new Map(sections.flatMap((section) => section.terms ?? []));
  return { text: terms.get('Evictions'), charts };
}

test('every eviction pass is counted, including passes reported together', () => {
  const passes = [madeUpPass(500), madeUpPass(600, { times: 424, evicted: 424 })];
  const { text, charts } = evictions({}, passes);
  expect(text).toMatch(
    /^425 passes, first after 0.5 s; 724 entries in total; median pass 300 entries/,
  );
  expect(charts?.map(({ id }) => id)).toContain('reclaim-entries');
});

test('evictions that were observed from outside are counted by sampling intervals', () => {
  const passes = [madeUpPass(500, { how: 'observed' }), madeUpPass(600, { how: 'observed' })];
  expect(evictions({ system: 'chromium' }, passes).text).toContain(
    'in 2 sampling intervals, first after 0.5 s; at least 600 entries in total. An interval may hold several passes.',
  );
});
