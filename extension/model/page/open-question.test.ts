import { madeUpBase } from '../fixtures/made-up-base.ts';
import { expect, test } from 'vitest';
import { openQuestion } from './open-question.ts';

const run = {
  ...madeUpBase(),
  commandLine: ['sweep', '0', '10', '5', '--launches', '4', '--seed', '7'],
  timeSpent: { totalMs: 120_000, measuringMs: 0 },
};
const decided = { outcome: 'SAME', reason: null, more: null } as const;
const open = (launches: number, atLeast = false) =>
  ({ outcome: 'UNKNOWN', reason: 'interval too wide', more: { launches, atLeast } }) as const;

test('the command has the launches in place of its own, and the time of the whole run', () => {
  expect(openQuestion(run, [decided, open(2), open(8)], { launches: 4 })).toEqual([
    'To decide 2 more, about 6 min: npm run sweep -- 0 10 5 --seed 7 --launches 12',
  ]);
});

test('a command that would be torn is not repeated', () => {
  const long = { ...run, commandLine: [...run.commandLine, '--out', 'x'.repeat(40)] };
  expect(openQuestion(long, [open(2)], { launches: 4 })).toEqual([
    'To decide 1 more, about 3 min: the same command with --launches 6',
  ]);
});

test('nothing is said where all is decided, or where no number of launches is known', () => {
  expect(openQuestion(run, [decided], { launches: 4 })).toEqual([]);
  expect(openQuestion(run, [open(80, true)], { launches: 4 })).toEqual([]);
});

test('without intervals it is the number of launches that a verdict needs', () => {
  const short = { outcome: 'UNKNOWN', reason: 'too few launches', more: null } as const;
  const [line] = openQuestion(run, [short], { launches: 1, option: '--rounds' });
  expect(line).toMatch(/^To decide 1 more, about 6 min: .* --rounds 3$/);
});
