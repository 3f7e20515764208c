import { madeUpExploreLoad, madeUpUse } from '@cachescope/model/fixtures/made-up-explore.ts';
import { expect, test } from 'vitest';
import { storedAtLoad, withStoredSizes } from './stored-sizes.ts';

const target = 'http://127.0.0.1:8080/new.js';

test('a resource has the stored size of the URL that its body is from; without an entry it is unknown', () => {
  const redirected = { ...madeUpUse('http://127.0.0.1:8080/old.js'), finalUrl: target };
  const uses = [madeUpUse(target), redirected, madeUpUse('http://127.0.0.1:8080/other.js')];
  const load = madeUpExploreLoad('1', 0, uses);
  const entries = [
    { url: redirected.url, storedBytes: 120 },
    { url: target, storedBytes: 917 },
  ];
  const sizes = withStoredSizes(load, storedAtLoad(load.id, { entries })).resources;
  expect(sizes.map(({ storedBytes }) => storedBytes)).toEqual([917, 917, null]);
});
