import { cellKey } from '@cachescope/model/run/sample.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { cellsOf, pairsOf, plannedSamples, pointName, settingsAt, slowSitesOf } from './points.ts';

const plan: SweepPlan = {
  arms: ['br', 'dcb'],
  delaysMs: [0, 5],
  storage: 'nbd-delay',
  delayWrites: false,
  samplesPerCell: 20,
  launchesPerPoint: 2,
  seed: 1,
  workload: { name: 'w', title: 'w', resourceBytes: 1, resourceSha256: '', dictionaryBytes: 1 },
};
const control = { storage: 'none', delayMs: 0 } as const;
const variants = [{ name: 'stock' }, { name: 'patched', readAheadKiB: 0 }];

test('a plan has a cell for each arm at the control and each delay, in each variant', () => {
  expect(cellsOf(plan)).toHaveLength(2 * 3);
  expect(cellsOf({ ...plan, variants })).toHaveLength(2 * 3 * 2);
  expect(new Set(cellsOf({ ...plan, variants }).map(cellKey)).size).toBe(12);
  expect(plannedSamples({ ...plan, variants })).toBe(240);
});

test('arms are compared with the baseline arm at the same point, variants with the first variant', () => {
  expect(pairsOf(plan)).toContainEqual({
    of: cellKey({ arm: 'dcb', storage: 'nbd-delay', delayMs: 5 }),
    against: cellKey({ arm: 'br', storage: 'nbd-delay', delayMs: 5 }),
    question: 'DCB against Brotli',
  });
  expect(pairsOf(plan)).toHaveLength(3);
  const pairs = pairsOf({ ...plan, variants });
  expect(pairs).toContainEqual({
    of: cellKey({ ...control, arm: 'br', variant: 'patched' }),
    against: cellKey({ ...control, arm: 'br', variant: 'stock' }),
    question: 'patched against stock',
  });
  expect(pairs).toContainEqual({
    of: cellKey({ ...control, arm: 'dcb', variant: 'patched' }),
    against: cellKey({ ...control, arm: 'br', variant: 'patched' }),
    question: 'DCB against Brotli',
  });
  expect(pairs).toHaveLength(3 * 2 + 3 * 2);
});

test('a launch visits one delay of a variant, or all delays in the crossed design', () => {
  const delaysOf = (of: SweepPlan) =>
    slowSitesOf(of).map(({ variant, points }) => [variant, points.map(({ delayMs }) => delayMs)]);
  expect(delaysOf({ ...plan, variants })).toEqual([
    ['stock', [0]],
    ['patched', [0]],
    ['stock', [5]],
    ['patched', [5]],
  ]);
  expect(delaysOf({ ...plan, crossed: true })).toEqual([[undefined, [0, 5]]]);
  expect(delaysOf({ ...plan, variants, crossed: true })).toEqual([
    ['stock', [0, 5]],
    ['patched', [0, 5]],
  ]);
  expect(slowSitesOf({ ...plan, delaysMs: [], crossed: true })).toEqual([]);
});

test("a variant's settings override the run's", () => {
  const settings = { fileSystem: 'xfs', readAheadKiB: 128 } as const;
  const of = { ...plan, variants, settings };
  expect(settingsAt(of, { variant: 'stock' })).toEqual(settings);
  expect(settingsAt(of, { variant: 'patched' })).toEqual({ fileSystem: 'xfs', readAheadKiB: 0 });
  expect(settingsAt(plan, {})).toEqual({});
});

test('a profile is one more point of the slow disk, in the launches of the delays', () => {
  const read = { kind: 'constant', ms: 3 } as const;
  const of = { ...plan, crossed: true, profile: { name: 'disk', source: 'made up', read } };
  expect(slowSitesOf(of).map(({ points }) => points.map(pointName))).toEqual([
    ['0 ms', '5 ms', 'disk'],
  ]);
  expect(new Set(cellsOf(of).map(cellKey)).size).toBe(2 * 4);
  const drawn = { storage: 'nbd-delay', delayMs: 0, profile: 'disk' } as const;
  expect(pairsOf(of)).toContainEqual({
    of: cellKey({ ...drawn, arm: 'dcb' }),
    against: cellKey({ ...drawn, arm: 'br' }),
    question: 'DCB against Brotli',
  });
  expect(slowSitesOf({ ...of, delaysMs: [] }).map(({ points }) => points.length)).toEqual([1]);
});
