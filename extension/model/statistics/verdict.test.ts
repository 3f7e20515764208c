import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { type Comparison, compare } from './comparison.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';
import { judge, type Verdict, type VerdictOptions } from './verdict.ts';
import { readTimes, verdictSentence } from './verdict-sentence.ts';

/** A comparison with its relative interval, and a difference of medians for a baseline of 100. */
function measured(low: number, high: number, p: number | null, pAlike = p): Comparison {
  const relative = (low + high) / 2;
  const group = { readings: 50, launches: 50, median: 100, middleHalf: { low: 99, high: 101 } };
  return {
    of: { ...group, median: 100 * (1 + relative) },
    against: group,
    design: 'independent',
    scope: 'any launch',
    confidence: 0.95,
    leftOut: 0,
    launchUnknown: false,
    difference: 100 * relative,
    differenceInterval: { low: 100 * low, high: 100 * high },
    relative,
    relativeInterval: { low, high },
    method: 'bootstrap',
    freedom: null,
    noInterval: null,
    p,
    pAlike,
    effect: {
      greaterShare: relative > 0 ? 0.9 : 0.1,
      tiedShare: 0,
      cliffsDelta: relative > 0 ? 0.8 : -0.8,
      size: 'large',
    },
    standardized: null,
    problems: [],
  };
}

function one(comparison: Comparison, options: Partial<VerdictOptions> = {}): Verdict {
  const [verdict] = judge([comparison], { better: 'lower', inconclusive: null, ...options });
  if (!verdict) throw new Error('one comparison has one verdict');
  return verdict;
}

const up = [0.05, 0.1] as const;
const down = [-0.1, -0.05] as const;
const same = [-0.01, 0.01] as const;
const open = [-0.03, 0.05] as const;

// better, interval, p -> outcome, direction, better group, words of the sentence
test.each([
  ['lower', up, 0.001, 'DIFFERENT', 'greater', 'against', 'A is slower than B by 7.5 ms'],
  ['lower', down, 0.001, 'DIFFERENT', 'lesser', 'of', 'A is faster than B by 7.5 ms'],
  ['higher', up, 0.001, 'DIFFERENT', 'greater', 'of', 'A is faster than B by 7.5 ms'],
  ['higher', down, 0.001, 'DIFFERENT', 'lesser', 'against', 'A is slower than B by 7.5 ms'],
  ['lower', up, 0.2, 'UNKNOWN', null, null, 'Whether A is slower or faster than B is unknown'],
  ['lower', down, 0.2, 'UNKNOWN', null, null, 'Whether A is slower or faster than B is unknown'],
  ['higher', up, 0.2, 'UNKNOWN', null, null, 'Whether A is faster or slower than B is unknown'],
  ['higher', down, 0.2, 'UNKNOWN', null, null, 'Whether A is faster or slower than B is unknown'],
  ['lower', same, 0.001, 'SAME', null, null, 'A is the same as B within 2 %'],
  ['lower', same, 0.2, 'SAME', null, null, 'A is the same as B within 2 %'],
  ['higher', same, 0.001, 'SAME', null, null, 'A is the same as B within 2 %'],
  ['higher', same, 0.2, 'SAME', null, null, 'A is the same as B within 2 %'],
  ['lower', open, 0.001, 'UNKNOWN', null, null, 'is unknown'],
  ['lower', open, 0.2, 'UNKNOWN', null, null, 'is unknown'],
  ['higher', open, 0.001, 'UNKNOWN', null, null, 'is unknown'],
  ['higher', open, 0.2, 'UNKNOWN', null, null, 'is unknown'],
] as const)(
  '%s is better, interval %j, p %d: %s',
  (better, [low, high], p, outcome, direction, betterGroup, words) => {
    const comparison = measured(low, high, p);
    const verdict = one(comparison, { better });
    expect(verdict).toMatchObject({ outcome, direction, better: betterGroup });
    const rates = { ...readTimes, greater: 'faster', lesser: 'slower' };
    const measure = better === 'lower' ? readTimes : rates;
    const sentence = verdictSentence(comparison, verdict, { of: 'A', against: 'B' }, measure);
    expect(sentence).toContain(words);
    expect(sentence.includes('90 % of pairs of reads A is the')).toBe(outcome === 'DIFFERENT');
  },
);

test('an unknown p-value decides nothing; the user sets the margin', () => {
  expect(one(measured(...up, null)).outcome).toBe('UNKNOWN');
  expect(one(measured(...up, 0.001), { margin: 0.2 }).outcome).toBe('SAME');
  expect(one(measured(...same, 0.5), { margin: 0.005 }).outcome).toBe('UNKNOWN');
});

test('an interval that touches the margin is not within it, and one that touches 0 does not exclude it', () => {
  expect(one(measured(-0.02, 0.01, 0.5)).outcome).toBe('UNKNOWN');
  expect(one(measured(0, 0.1, 0.001)).outcome).toBe('UNKNOWN');
});

test('comparisons judged together have corrected p-values', () => {
  const alone = one(measured(...up, 0.03));
  const together = judge([measured(...up, 0.03), measured(...up, 0.04)], {
    better: 'lower',
    inconclusive: null,
  });
  expect(alone.outcome).toBe('DIFFERENT');
  expect(together.map(({ outcome, p }) => [outcome, p])).toEqual([
    ['UNKNOWN', 0.06],
    ['UNKNOWN', 0.06],
  ]);
  const sentenceOf = (verdict: Verdict | undefined) =>
    verdict &&
    verdictSentence(measured(...up, 0.03), verdict, { of: 'A', against: 'B' }, readTimes);
  expect(sentenceOf(alone)).toContain('; p = 0.03;');
  expect(sentenceOf(together[0])).toContain(
    "and p = 0.06 after Holm's correction (0.03 without it);",
  );
  // The p-value is too large, not the interval: more readings still help.
  expect(together[0]?.more?.readings).toBeGreaterThan(20);
});

test('UNKNOWN says how many more readings would decide it, either way', () => {
  // 4 % to either side of 1 %: both verdicts need an interval a few times as narrow.
  const wide = one(measured(-0.03, 0.05, 0.5)).more;
  expect(wide?.readings).toBeGreaterThan(300);
  // Around 3.9 %, a fifth more readings move the interval off 0, and most plausible true values are there.
  const near = one(measured(-0.001, 0.079, 0.055)).more;
  expect(near?.atLeast).toBe(false);
  expect(near?.readings).toBeLessThan(wide?.readings ?? 0);
});

test('same median, different spread: reported with any verdict about the median', () => {
  const normal = normalVariate(createRandom(5));
  const group = (sd: number): Reading[] =>
    Array.from({ length: 200 }, () => ({ value: 100 + sd * normal(), launch: null }));
  const [narrow, wide] = [group(0.5), group(4)];
  const comparison = compare(narrow, wide, { random: createRandom(6), resamples: 1000 });
  const verdict = one(comparison);
  expect(verdict).toMatchObject({ outcome: 'SAME', unlike: true });
  expect(verdictSentence(comparison, verdict, { of: 'A', against: 'B' }, readTimes)).toMatch(
    /within 2 %.*yet their reads differ: the middle half of A is at 99\.\d+ to 100\.\d+ ms, that of B at 9\d\.\d to 10\d\.\d ms\.$/,
  );
  expect(one(measured(...same, 0.5)).unlike).toBe(false);
  expect(one(measured(...up, 0.001)).unlike).toBeNull();
});
