import { expect, test } from 'vitest';
import { madeUpExplore } from '../fixtures/made-up-explore.ts';
import { summarizeExplore } from './summary.ts';

const { run, loads } = madeUpExplore();

test('loads and sources are counted, including unknown ones', () => {
  const summary = summarizeExplore(run, loads);
  expect(summary.loads).toEqual([
    expect.objectContaining({ id: 'first', delaysMs: [5], resources: 1, fromCache: 0, unknown: 0 }),
    expect.objectContaining({
      id: 'second',
      delaysMs: [20],
      resources: 2,
      fromCache: 1,
      unknown: 1,
    }),
  ]);
  expect(summary.sources).toEqual([
    { source: 'disk', count: 1 },
    { source: 'network', count: 1 },
    { source: 'unknown', count: 1 },
  ]);
  expect(summary.finding).toEqual([
    '2 loads with 3 resources were recorded: 1 disk, 1 network, 1 unknown.',
    'The source of 1 resource is unknown; the report names the witness that would show each.',
  ]);
});

test('an exploration without loads says that none was recorded', () => {
  expect(summarizeExplore(run, [])).toMatchObject({
    loads: [],
    sources: [],
    finding: ['No load was recorded.'],
  });
});
