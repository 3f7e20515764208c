import { expect, test } from 'vitest';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { waterfallSpan } from './waterfall.ts';

function spanOf(change: Partial<ReturnType<typeof madeUpLoad>>) {
  const load = { ...madeUpLoad({ count: 3 }), ...change };
  return waterfallSpan({ load, rows: attributeLoad(load) });
}

test('the span covers every resource and both events of the load', () => {
  const [first] = madeUpLoad({ count: 1 }).resources;
  if (!first) throw new Error('no resource was made up');
  const late = { ...first, startMs: 5000, durationMs: 250 };
  expect(spanOf({ resources: [first, late] })).toEqual({ fromMs: 0, toMs: 5250 });
  expect(spanOf({ resources: [first], loadMs: 7000 })).toEqual({ fromMs: 0, toMs: 7000 });
  const unfinished = { ...first, startMs: 8000, durationMs: null };
  expect(spanOf({ resources: [unfinished] })).toEqual({ fromMs: 0, toMs: 8000 });
});

test('the span covers the requests of a prerendered document before its activation', () => {
  const [first] = madeUpLoad({ count: 1 }).resources;
  if (!first) throw new Error('no resource was made up');
  const early = { ...first, startMs: -300, durationMs: 100 };
  expect(spanOf({ resources: [early] }).fromMs).toBe(-300);
});

test('the span is never empty', () => {
  const nothing = { resources: [], loadMs: null, domContentLoadedMs: null };
  expect(spanOf(nothing)).toEqual({ fromMs: 0, toMs: 1 });
});
