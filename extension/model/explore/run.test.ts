import { expect, test } from 'vitest';
import { madeUpExplore } from '../fixtures/made-up-explore.ts';
import { delayOfLoad } from './run.ts';
import { experiments } from '../run/run.ts';
import { readRunFiles } from '../run/document.ts';

const { run, loads } = madeUpExplore();

test.each([
  ['before the change', '2026-11-20T23:00:09.999Z', 5],
  ['while it was being changed', '2026-11-20T23:00:10.000Z', null],
  ['still during the change', '2026-11-20T23:00:12.999Z', null],
  ['after it', '2026-11-20T23:00:13.000Z', 20],
])('the delay of a load %s', (_, startedAt, delayMs) => {
  expect(delayOfLoad(run, { startedAt })).toBe(delayMs);
});

test('after a failed change the delay is the one that the device then reported, or unknown', () => {
  const [change] = run.actions;
  if (!change) throw new Error('the made-up run has an action');
  const after = { startedAt: '2026-11-20T23:01:00.000Z' };
  const failed = (delayMs: number | null) => ({
    ...run,
    actions: [{ ...change, delayMs, problem: 'in use' }],
  });
  expect(delayOfLoad(failed(null), after)).toBeNull();
  expect(delayOfLoad(failed(5), after)).toBe(5);
});

test('without a slow device no load has a delay; other actions do not change the delay', () => {
  const plan = { ...run.plan, storage: 'none' as const, delayMs: null };
  const dropped = { ...run.actions[0], kind: 'drop-page-cache' as const };
  const at = { startedAt: '2026-11-20T23:01:00.000Z' };
  expect(delayOfLoad({ ...run, plan, actions: [] }, at)).toBeNull();
  expect(delayOfLoad({ ...run, actions: [dropped as (typeof run.actions)[0]] }, at)).toBe(5);
});

test('an exploration is read from its files; the latest version of a load counts, in order of start', () => {
  const [first, second] = loads;
  const early = { ...second, warnings: ['not finished yet'] };
  const lines = [early, first, second].map((load) => JSON.stringify(load)).join('\n');
  const read = readRunFiles([
    { name: 'run.json', text: JSON.stringify(run) },
    { name: 'loads.ndjson', text: `${lines}\n` },
  ]);
  expect(read).toEqual({ value: { run, loads } });
});

test('a run with lines of another experiment is refused, and so is an unknown experiment', () => {
  const lines = { name: 'samples.ndjson', text: '{"sequence":0}\n' };
  const read = readRunFiles([{ name: 'run.json', text: JSON.stringify(run) }, lines]);
  expect(read).toEqual({ problems: ['run.json needs loads.ndjson, not samples.ndjson.'] });
  const other = { ...run, experiment: 'constructor' };
  expect(readRunFiles([{ name: 'x.json', text: JSON.stringify({ run: other, loads }) }])).toEqual({
    problems: [
      `x.json is a run of the experiment "constructor"; this Cachescope reads runs of ${Object.keys(experiments).join(', ')}.`,
    ],
  });
});
