import { expect, test } from 'vitest';
import type { GroupNames } from './comparison.ts';
import type { Reading } from './readings.ts';
import { judgedFamily } from './verdict.ts';
import { confidenceText, readTimes, verdictSentence } from './verdict-sentence.ts';

const names: GroupNames = { of: 'DCB', against: 'Brotli' };

function sentence(of: readonly Reading[], against: readonly Reading[], comparisons = 1): string {
  const pair = { of, against, names };
  const [first] = judgedFamily(
    Array.from({ length: comparisons }, () => pair),
    {
      better: 'lower',
      inconclusive: null,
    },
  );
  return first ? verdictSentence(first.comparison, first.verdict, names, readTimes) : '';
}

const each = (...values: number[]): Reading[] => values.map((value, launch) => ({ value, launch }));

test('different: the word, the difference with its interval, and how often a read shows it', () => {
  expect(sentence(each(61, 60, 62, 61), each(36, 35, 37, 37))).toBe(
    'DCB is slower than Brotli by 24.8 ms, 68.3 % (95 % interval 24.0 to 25.5 ms; p < 0.001); slower in all pairs of reads.',
  );
  expect(sentence(each(36, 35, 37, 37), each(61, 60, 62, 61))).toMatch(
    /^DCB is faster than Brotli by 24\.8 ms, 40\.6 % \(95 % interval 24\.0 to 25\.5 ms; p < 0\.001\)/,
  );
});

test('the size of the family stands beside the interval', () => {
  const one = sentence(each(61, 60, 62, 61), each(36, 35, 37, 37), 12);
  expect(one).toContain(' ms, for 12 comparisons together; p < 0.001)');
});

test('same: within the margin, with the interval in percent', () => {
  expect(sentence(each(100, 101, 100, 101), each(100, 101, 100, 101))).toBe(
    'DCB is the same as Brotli within 2 %: it differs by 0 % (95 % interval 0 % to 0 %).',
  );
  expect(sentence(each(101, 102.1, 101, 102.1), each(100, 101, 100, 101))).toMatch(
    / % \(95 % interval 0\.\d+ % to 1\.\d+ %\), a difference that is significant and small\.$/,
  );
});

test('unknown: what the interval includes', () => {
  expect(sentence(each(1, 9, 3, 7), each(2, 8, 4, 6))).toMatch(
    /^Unknown whether DCB is slower or faster than Brotli: the difference is -0\.\d+ ms \(95 % interval -2\.\d+ to 1\.\d+ ms\); the interval includes 0 and exceeds ±2 %\.$/,
  );
  expect(sentence(each(0, 0, 0), each(0, 0, 0))).toContain('2 % of a baseline of 0 ms is 0');
});

test('unknown: how many launches are needed', () => {
  expect(sentence(each(1, 9), each(2, 8))).toBe(
    'Unknown whether DCB is slower or faster than Brotli: that needs at least 3 launches of each, and there are 2 and 2.',
  );
  const bad = sentence([], each(Number.NaN, -1));
  expect(bad).toContain('DCB has no readings');
  expect(bad).toContain('Brotli has 1 of 2 values that are not finite');
});

test('ties count as neither; an outlier that moves the level against most pairs is said', () => {
  const thrice = (...values: number[]): Reading[] =>
    [0, 1, 2].flatMap((launch) => values.map((value) => ({ value, launch })));
  expect(sentence(thrice(10, 20, 20), thrice(9, 9, 10))).toContain('; slower in 89 % of pairs');
  expect(sentence(thrice(10, 10, 10, 10, 90), thrice(9, 11, 11, 11, 9))).toMatch(
    /^DCB is faster than Brotli .*; faster in only 48 % of pairs of reads\.$/,
  );
});

test('values below a thousandth are written out', () => {
  const micro = (shift: number) => each(...[1, 2, 3, 4].map((step) => (shift + step / 9) * 1e-5));
  expect(sentence(micro(40), micro(1))).toMatch(
    /by 0\.0003\d* ms, [\d,]+ % \(95 % interval 0\.0003\d* to 0\.000[34]\d* ms/,
  );
});

test('reads whose launch has none of the other group are left out, and counted', () => {
  const more = [...each(61, 60, 62, 61), { value: 900, launch: 4 }, { value: 901, launch: 4 }];
  expect(sentence(more, each(36, 35, 37, 37))).toMatch(
    /; this leaves out 2 reads without a usable read of the other group in the same launch\.$/,
  );
});

test('other words for a launch', () => {
  const [judged] = judgedFamily([{ of: each(1, 2), against: each(1, 2) }], {
    better: 'lower',
    inconclusive: null,
  });
  const measure = { ...readTimes, launch: 'eviction pass' };
  expect(judged && verdictSentence(judged.comparison, judged.verdict, names, measure)).toContain(
    'at least 3 eviction passes of each',
  );
});

test.each([
  [0.95, '95 %'],
  [0.99375, '99.4 %'],
  [0.995, '99.5 %'],
  [0.9976, '99.76 %'],
  [0.9995, '99.95 %'],
  [0.99999, '99.99 %'],
])('a confidence of %d is shown as %s, never as 100 %', (confidence, shown) => {
  expect(confidenceText(confidence)).toBe(shown);
});
