import { expect, test } from 'vitest';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { waterfallBar, waterfallSpan } from './waterfall.ts';

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

test('a running request has a bar to the end of the span; an unknown end has none', () => {
  const [first] = madeUpLoad({ count: 1 }).resources;
  if (!first) throw new Error('no resource was made up');
  const span = { fromMs: 0, toMs: 900 };
  const open = { ...first, startMs: 80, responseStartMs: null, durationMs: null };
  expect(waterfallBar({ ...open, isRunning: true }, span)).toEqual({ firstByteMs: 80, endMs: 900 });
  expect(waterfallBar(open, span)).toBeNull();
  expect(waterfallBar({ ...open, durationMs: 5 }, span)?.endMs).toBe(85);
});
