import {
  madeUpExplore,
  madeUpExploreLoad,
  madeUpUse,
} from '@cachescope/model/fixtures/made-up-explore.ts';
import { expect, test } from 'vitest';
import { initialState } from '../panel-state.ts';
import { shownRun } from './opened-run.ts';

test('the resources of an edited exploration are numbered by their place: a row opens its own details', () => {
  const uses = ['a', 'b', 'c'].map((name) => madeUpUse(`http://a.example/${name}`));
  const load = madeUpExploreLoad('1', 0, uses);
  const edited = { ...load, resources: load.resources.slice(1) };
  const document = { ...madeUpExplore(), loads: [edited] };
  const { shown } = shownRun(document, 'run')(initialState);
  expect(shown?.rows.map(({ resource }) => [resource.sequence, resource.url.slice(-1)])).toEqual([
    [0, 'b'],
    [1, 'c'],
  ]);
});
