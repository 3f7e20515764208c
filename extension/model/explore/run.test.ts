import { expect, test } from 'vitest';
import { madeUpExplore } from '../fixtures/made-up-explore.ts';
import { experiments } from '../run/run.ts';
import { readRunFiles } from '../run/document.ts';

const { run, loads } = madeUpExplore();

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
