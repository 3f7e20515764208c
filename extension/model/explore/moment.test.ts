import { expect, test } from 'vitest';
import { madeUpExplore, madeUpExploreLoad, madeUpUse } from '../fixtures/made-up-explore.ts';
import { delaysOfLoad, momentsOf } from './moment.ts';
import type { ExploreRunDocument, LabAction } from './run.ts';

const url = 'http://127.0.0.1:8080/a.js';
const runStart = Date.parse('2026-11-20T23:00:00.000Z');
const time = (afterS: number) => new Date(runStart + afterS * 1000).toISOString();

/** One load from second 0 of the run on, with a use of the URL at each of these seconds, for as long. */
function madeUp(
  uses: readonly (readonly [atS: number, forS: number | null])[],
  actions: LabAction[] = madeUpExplore().run.actions,
  document: Partial<ExploreRunDocument> = {},
) {
  const { run } = madeUpExplore();
  const resources = uses.map(([atS, forS]) => ({
    ...madeUpUse(url),
    startMs: atS * 1000,
    durationMs: forS === null ? null : forS * 1000,
  }));
  const load = madeUpExploreLoad('one', 0, resources);
  const explored = { ...document, run: { ...run, actions }, loads: [load] };
  const momentOf = momentsOf(explored);
  return { explored, load, moments: load.resources.map((each) => momentOf(load, each)) };
}

function action(kind: LabAction['kind'], startS: number, endS: number, problem?: string) {
  return {
    kind,
    startedAt: time(startS),
    endedAt: time(endS),
    ...(kind === 'delay' && { delayMs: 20 }),
    ...(problem !== undefined && { problem }),
  };
}

// From second 10 to 13 the delay was changed from 5 to 20 ms.
test.each<[string, number, number | null, number | null]>([
  ['before the change', 9, 0.999, 5],
  ['that ends as the change begins', 9, 1, 5],
  ['that reaches into the change', 9, 1.001, null],
  ['at the start of the change', 10, 0, null],
  ['during the change', 12.999, 0, null],
  ['across the change', 9, 10, null],
  ['from the end of the change on', 13, 1, 20],
  ['without a known end, before the change', 9, null, null],
  ['without a known end, after it', 14, null, 20],
])('the delay of a read %s, long after its load began', (_, atS, forS, delayMs) => {
  expect(madeUp([[atS, forS]]).moments[0]?.delayMs).toBe(delayMs);
});

test('after a failed change the delay is the one that the device then reported, or unknown', () => {
  const failed = (delayMs: number | null) =>
    madeUp([[20, 1]], [{ ...action('delay', 10, 13, 'in use'), delayMs }]).moments[0]?.delayMs;
  expect(failed(null)).toBeNull();
  expect(failed(5)).toBe(5);
});

test('a load has every delay that was in force during it', () => {
  const { explored, load } = madeUp([
    [1, 1],
    [9, 2],
    [20, 1],
  ]);
  expect(delaysOfLoad(explored.run, load)).toEqual([5, 20]);
  expect(delaysOfLoad({ ...explored.run, actions: [] }, load)).toEqual([5]);
});

test.each<[string, LabAction[], string | null]>([
  ['nothing happened', [], 'used before'],
  ['a drop', [action('drop-page-cache', 3, 4)], 'page cache dropped'],
  ['a drop before the earlier use', [action('drop-page-cache', 0, 0.5)], 'used before'],
  ['a drop after the read', [action('drop-page-cache', 9, 9.5)], 'used before'],
  ['a drop during the read', [action('drop-page-cache', 5.5, 5.6)], null],
  ['a failed drop', [action('drop-page-cache', 3, 4, 'no root')], null],
  [
    'a restart after a drop',
    [action('drop-page-cache', 2, 3), action('relaunch', 3, 4)],
    'relaunched',
  ],
  [
    'a restart after the cache was cleared',
    [action('clear-http-cache', 2, 3), action('relaunch', 3, 4)],
    'HTTP cache cleared',
  ],
  // nbd-delay has one delay while it is attached.
  ['a change of the delay', [action('delay', 3, 4)], 'relaunched'],
])('the state of the cache at a second use: %s', (_, actions, state) => {
  const { moments } = madeUp(
    [
      [1, 0.1],
      [5, 1],
    ],
    actions,
  );
  expect(moments[0]?.cacheState).toBe('first use');
  expect(moments[1]?.cacheState).toBe(state);
});

test('device reads are all that were seen during the read, and 0 only where none was', () => {
  const device = [
    { startedAt: time(0), endedAt: time(0), reads: 0 },
    { startedAt: time(1), endedAt: time(1.1), reads: 4 },
    { startedAt: time(5.9), endedAt: time(6), reads: 3 },
    { startedAt: time(8), endedAt: time(9), reads: null },
  ];
  const uses = [
    [1.05, 0.01],
    [3, 1],
    [5.95, 1],
    [8.5, 0.1],
    [10, null],
  ] as const;
  const readsOf = (recorded: Partial<ExploreRunDocument>) =>
    madeUp(uses, [], recorded).moments.map(({ deviceReads }) => deviceReads);
  expect(readsOf({ device })).toEqual([4, 0, 3, null, null]);
  expect(readsOf({})).toEqual([null, null, null, null, null]);
});

test('a load of unknown start has unknown conditions', () => {
  const { explored } = madeUp([[1, 1]]);
  const load = { ...madeUpExploreLoad('two', 0, [madeUpUse(url)]), startedAt: 'unknown' };
  const [resource] = load.resources;
  expect(resource && momentsOf(explored)(load, resource)).toEqual({
    delayMs: null,
    cacheState: null,
    deviceReads: null,
  });
});
