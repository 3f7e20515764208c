import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import { tracedLaunches } from './traces.ts';

const plan: SweepPlan = {
  arms: ['br', 'dcb'],
  delaysMs: [0, 5],
  storage: 'nbd-live',
  delayWrites: false,
  samplesPerCell: 20,
  launchesPerPoint: 2,
  seed: 2,
  recompress: true,
  workload: { name: 'w', title: 'w', resourceBytes: 1, resourceSha256: '', dictionaryBytes: 1 },
};

function launchesOf(of: SweepPlan): string[][] {
  return tracedLaunches(of).map(({ reads }) =>
    reads.map(({ cell: { storage, delayMs, arm }, kind }) =>
      [storage === 'none' ? 'control' : delayMs, arm, ...(kind ? [kind] : [])].join(' '),
    ),
  );
}

test('each delay has a launch of its own for traces, one in each variant', () => {
  expect(launchesOf(plan)).toEqual([
    ['control br', 'control dcb'],
    ['control dcb'],
    ['0 br', '0 dcb'],
    ['0 dcb'],
    ['5 br', '5 dcb'],
    ['5 dcb'],
  ]);
});

test('in the crossed design one launch takes the traces of every delay, and none of a profile', () => {
  const read = { kind: 'constant', ms: 3 } as const;
  const profile = { name: 'disk', source: 'made up', read };
  expect(launchesOf({ ...plan, crossed: true, profile })).toEqual([
    ['control br', 'control dcb'],
    ['control dcb'],
    ['0 br', '0 dcb', '5 br', '5 dcb'],
    ['0 dcb', '5 dcb'],
  ]);
});

test('no two first loads with a dictionary share a launch', () => {
  expect(launchesOf({ ...plan, crossed: true, firstLoads: true })).toEqual([
    ['control br', 'control dcb'],
    ['control dcb'],
    ['0 br', '0 dcb', '5 br', '5 dcb', '0 br first load', '0 dcb first load'],
    ['5 br first load', '5 dcb first load'],
    ['0 dcb', '5 dcb'],
  ]);
});
