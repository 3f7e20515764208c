import type { Load } from '@cachescope/model/load/load.ts';
import { expect, test } from 'vitest';
import { madeUpExploreLoad, madeUpUse } from '@cachescope/model/fixtures/made-up-explore.ts';
import { changeSettings, followLoad, initialState, openDrawer, showLoad } from './panel-state.ts';

const used = (name: string, startMs: number) => ({
  ...madeUpUse(`http://a.example/${name}`),
  startMs,
});

/** The start and name of the selected resource after a load has grown, and whether the drawer is still open. */
function selectedAfter(selected: number, before: Load, after: Load) {
  const opened = openDrawer(selected)(showLoad(before)(initialState));
  const state = followLoad(after)(opened);
  const resource =
    state.selected === null ? undefined : state.shown?.rows[state.selected]?.resource;
  return [resource && `${resource.startMs} ${resource.url.slice(-4)}`, state.isDrawerOpen];
}

test('the drawer stays with its resource while the load grows', () => {
  const [a, b, c] = [used('a.js', 5), used('b.js', 20), used('c.js', 30)];
  const before = madeUpExploreLoad('1', 0, [b, c]);
  expect(selectedAfter(0, before, madeUpExploreLoad('1', 0, [a, b, c]))).toEqual(['20 b.js', true]);
  // Another witness knows a better start.
  const better = madeUpExploreLoad('1', 0, [a, used('b.js', 18), c]);
  expect(selectedAfter(0, before, better)).toEqual(['18 b.js', true]);
  expect(selectedAfter(1, before, madeUpExploreLoad('1', 0, [a, b]))).toEqual([undefined, false]);
  expect(selectedAfter(0, before, madeUpExploreLoad('2', 0, [b, c]))).toEqual([undefined, false]);
});

test('of several uses of a URL the drawer stays with its own', () => {
  const uses = [used('b.js', 20), used('b.js', 40), used('b.js', 40)];
  const before = madeUpExploreLoad('1', 0, uses);
  const opened = showLoad(before)(initialState);
  for (const place of uses.keys())
    expect(followLoad(before)(openDrawer(place)(opened)).selected).toBe(place);
  const after = madeUpExploreLoad('1', 0, [used('b.js', 5), ...uses]);
  expect(selectedAfter(1, before, after)).toEqual(['40 b.js', true]);
});

test('the cost of a body stays with its resource while the load grows, and with no other', () => {
  const [a, b] = [used('a.js', 5), used('b.js', 20)];
  const shown = showLoad(madeUpExploreLoad('1', 0, [b]))(initialState);
  const cost = { sequence: 0, decodedBytes: 9, costs: [], problem: '' };
  const grown = followLoad(madeUpExploreLoad('1', 0, [a, b]))({ ...shown, cost });
  expect(grown.cost).toEqual({ ...cost, sequence: 1 });
  expect(followLoad(madeUpExploreLoad('2', 0, [a, b]))(grown).cost).toBeNull();
});

test('a preserved log joins loads that followed each other, and none that was chosen', () => {
  const [old, one, two] = ['old', '1', '2'].map((id) => madeUpExploreLoad(id, 0, [used('a', 5)]));
  if (!old || !one || !two) throw new Error('three loads');
  const preserving = changeSettings({ isLogPreserved: true })(initialState);
  const ids = ({ log }: typeof initialState) => log.map(({ id }) => id);
  const chosen = showLoad(old)(preserving);
  const followed = followLoad(one)(chosen);
  expect(ids(followed)).toEqual(['1']);
  expect(ids(followLoad(two)(followed))).toEqual(['1', '2']);
});
