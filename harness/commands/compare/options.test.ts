import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { compareOptions } from './options.ts';

const raw: OptionTexts = { A: 'a', B: 'b', margin: '2%' };

test('two runs need no group; one group applies to both sides, two to one side each', () => {
  const { asked: options, problems } = compareOptions.read({ ...raw, across: 'chromium, kernel' });
  expect(problems).toEqual([]);
  expect(options).toMatchObject({
    gateUnknown: 'pass',
    against: { path: 'a', selection: {} },
    of: { path: 'b', selection: {} },
    margin: 0.02,
    across: ['chromium', 'kernel'],
  });
  const both = compareOptions.read({ ...raw, group: ['arm=br'] }).asked;
  expect([both.against.selection, both.of.selection]).toEqual([{ arm: 'br' }, { arm: 'br' }]);
  const one = compareOptions.read({ A: 'a', group: ['arm=br', 'arm=dcb'] });
  expect(one.problems).toEqual([]);
  expect(one.asked.of).toEqual({ path: 'a', selection: { arm: 'dcb' } });
});

test('gates are parsed with their metric, direction and limit', () => {
  const gate = ['any', 'slower:5%', 'faster:2ms', 'deviceReads:+1', 'readMs:-10%'];
  const { asked: options, problems } = compareOptions.read({ ...raw, gate, gateUnknown: 'fail' });
  expect(problems).toEqual([]);
  expect(options.gates).toMatchObject([
    { metric: undefined, direction: 'either', limit: null },
    { metric: 'readMs', direction: 'greater', limit: { share: 0.05 } },
    { metric: 'readMs', direction: 'lesser', limit: { amount: 2 } },
    { metric: 'deviceReads', direction: 'greater', limit: { amount: 1 } },
    { metric: 'readMs', direction: 'lesser', limit: { share: 0.1 } },
  ]);
  expect(options.gateUnknown).toBe('fail');
});

test.each<[OptionTexts, string]>([
  [{ A: undefined, B: undefined }, 'no run is named'],
  [{ B: undefined }, 'one run is named: name a second one, or two groups of it'],
  [{ B: undefined, group: ['arm=br'] }, 'one run is named'],
  [{ B: undefined, group: ['arm=br', 'arm=br'] }, 'a group cannot be compared with itself'],
  [{ group: ['x=1', 'x=2', 'x=3'] }, '--group is given 3 times'],
  [{ group: ['dcb'] }, 'the group "dcb" is not of the form factor=level'],
  [{ margin: '2' }, '--margin is "2"; it must be a percentage'],
  [
    { margin: '0%' },
    '--margin is "0%"; it must be a percentage with its unit, such as 3%, from 0.01% to 100%',
  ],
  [{ names: 'one' }, '--names is "one"; it must be two names'],
  [{ gate: ['joy'] }, '--gate is "joy"; a gate is any, slower or faster'],
  [{ gate: ['slower:5'] }, '--gate is "slower:5"'],
  [{ gate: ['deviceReads:1'] }, '--gate is "deviceReads:1"'],
  [{ gate: ['slower:5%:1'] }, '--gate is "slower:5%:1"'],
  [{ gate: [''] }, '--gate is ""'],
  [{ gate: ['any'], gateUnknown: 'maybe' }, '--gate-unknown is "maybe"; known are pass, fail'],
  [{ junit: 'gates.xml' }, '--junit: only with --gate'],
  [{ gateUnknown: 'fail' }, '--gate-unknown: only with --gate'],
  [{ gate: ['any'], junit: import.meta.filename }, 'no file is written over another'],
  [{ gate: ['any'], junit: '/nowhere/gates.xml' }, '/nowhere is not there'],
  [{ format: 'joy' }, '--format is "joy"; known are markdown, step-summary, histogram-set'],
  [{ format: 'toString' }, '--format is "toString"'],
  [{ format: 'skia-perf' }, '--format skia-perf needs --git-hash'],
  [{ format: 'skia-perf', gitHash: 'main' }, 'it must be 7 to 64 hexadecimal digits'],
  [{ bot: 'lab-1' }, '--bot: only with --format'],
  [{ format: 'markdown', bot: ' ' }, '--bot is empty'],
  [{ format: 'markdown', json: true }, 'remove one'],
  [{ out: '/proc/compared' }, 'nothing can be kept in /proc'],
])('%o is a problem', (wrong, says) => {
  expect(compareOptions.read({ ...raw, ...wrong }).problems.join()).toContain(says);
});
