import { expect, test } from 'vitest';
import type { Comparison } from './comparison.ts';
import type { Reading } from './readings.ts';
import { judgedFamilies, judgedFamily, verdictOf } from './verdict.ts';

/** A comparison with this relative interval, for a baseline of 100. */
function measured(low: number, high: number): Comparison {
  const relative = (low + high) / 2;
  const group = { readings: 50, launches: 10, median: 100 };
  return {
    of: { ...group, median: 100 * (1 + relative) },
    against: group,
    design: 'by launch',
    family: 1,
    confidence: 0.95,
    leftOut: 0,
    difference: 100 * relative,
    differenceInterval: { low: 100 * low, high: 100 * high },
    relative,
    relativeInterval: { low, high },
    p: low > 0 || high < 0 ? 0.001 : 0.2,
    effect: null,
    freedom: 18,
    noInterval: null,
    problems: [],
  };
}

// better, interval -> outcome, direction, better group
test.each([
  ['lower', [0.05, 0.1], 'DIFFERENT', 'greater', 'against'],
  ['lower', [-0.1, -0.05], 'DIFFERENT', 'lesser', 'of'],
  ['higher', [0.05, 0.1], 'DIFFERENT', 'greater', 'of'],
  ['higher', [-0.1, -0.05], 'DIFFERENT', 'lesser', 'against'],
  ['lower', [-0.01, 0.01], 'SAME', null, null],
  ['lower', [0.005, 0.01], 'SAME', null, null],
  ['lower', [0.01, 0.03], 'DIFFERENT', 'greater', 'against'],
  ['lower', [-0.03, 0.05], 'UNKNOWN', null, null],
  // An interval that touches the margin is not within it, and one that touches 0 does not exclude it.
  ['lower', [-0.02, 0.01], 'UNKNOWN', null, null],
  ['lower', [0, 0.1], 'UNKNOWN', null, null],
] as const)('%s is better, interval %j: %s', (better, [low, high], outcome, direction, group) => {
  const verdict = verdictOf(measured(low, high), { better, inconclusive: null });
  expect(verdict).toMatchObject({ outcome, direction, better: group, margin: 0.02 });
  expect(verdict.beyondChance).toBe(low > 0 || high < 0);
});

test('the user sets the margin', () => {
  expect(
    verdictOf(measured(0.05, 0.1), { better: 'lower', margin: 0.2, inconclusive: null }).outcome,
  ).toBe('SAME');
  const strict = verdictOf(measured(-0.01, 0.01), {
    better: 'lower',
    margin: 0.005,
    inconclusive: null,
  });
  expect(strict.outcome).toBe('UNKNOWN');
});

test('UNKNOWN says how many more launches would decide it, either way', () => {
  // 4 % to either side of 1 %: both verdicts need an interval a few times as narrow.
  const wide = verdictOf(measured(-0.03, 0.05), { better: 'lower', inconclusive: null }).more;
  expect(wide?.launches).toBeGreaterThan(60);
  // Around 3.9 %, a few more launches move the interval off 0, and most plausible true values are there.
  const near = verdictOf(measured(-0.001, 0.079), { better: 'lower', inconclusive: null }).more;
  expect(near?.atLeast).toBe(false);
  expect(near?.launches).toBeLessThan((wide?.launches ?? 0) / 2);
  const hopeless = verdictOf(measured(-0.4, 0.4), { better: 'lower', inconclusive: null }).more;
  expect(hopeless).toEqual({ launches: 190, atLeast: true });
});

const launches = (shift: number): Reading[] =>
  [0, 1, 2, 3].map((launch) => ({ value: 100 + shift + (launch % 2), launch }));

test('a verdict depends on its family, which is that of its question', () => {
  const pair = (question: string) => ({
    question,
    of: launches(2).map(({ value, launch }) => ({ value: value + (launch ?? 0), launch })),
    against: launches(0),
  });
  const [alone] = judgedFamily([pair('a')], { better: 'lower', inconclusive: null });
  expect(alone).toMatchObject({ verdict: { outcome: 'DIFFERENT' }, comparison: { family: 1 } });
  const twelve = judgedFamily(
    Array.from({ length: 12 }, () => pair('a')),
    { better: 'lower', inconclusive: null },
  );
  expect(twelve[0]).toMatchObject({ verdict: { outcome: 'UNKNOWN' }, comparison: { family: 12 } });
  const mixed = judgedFamilies([pair('b'), pair('a'), pair('b')], {
    better: 'lower',
    inconclusive: null,
  });
  expect(mixed.map(({ question, comparison }) => [question, comparison.family])).toEqual([
    ['b', 2],
    ['a', 1],
    ['b', 2],
  ]);
});
