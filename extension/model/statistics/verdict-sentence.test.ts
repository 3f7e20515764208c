import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { compare } from './comparison.ts';
import type { Scope } from './design.ts';
import type { Reading } from './readings.ts';
import { judge } from './verdict.ts';
import { readTimes, verdictSentence } from './verdict-sentence.ts';

const names = { of: 'DCB', against: 'Brotli' };

function sentence(of: Reading[], against: Reading[], scope?: Scope): string {
  const comparison = compare(of, against, { random: createRandom(1), scope }, names);
  const [verdict] = judge([comparison], { better: 'lower', inconclusive: null });
  return verdict ? verdictSentence(comparison, verdict, names, readTimes) : '';
}

const reads = (launch: number | null, ...values: number[]): Reading[] =>
  values.map((value) => ({ value, launch }));

const dcb = [61, 60.5, 61.5, 60, 62, 61.2, 60.8, 61.6, 60.4, 35.5];
const brotli = [36, 35.5, 36.5, 35, 37, 36.2, 35.8, 36.6, 35.4, 36.1];

test('states the outcome, the difference with its interval, the p-value and the effect size', () => {
  expect(sentence(reads(null, ...dcb), reads(null, ...brotli))).toMatch(
    /^DCB is slower than Brotli by 24\.\d+ ms \(95 % interval 2[34]\.\d+ to 2[56]\.\d+ ms; 68\.\d+ %, 6\d\.\d+ % to 7\d\.\d+ %\); p < 0\.001; the effect is large: in 92 % of pairs of reads DCB is the slower \(1 % tied\)\.$/,
  );
  expect(sentence(reads(null, ...brotli), reads(null, ...dcb))).toMatch(
    /^DCB is faster than Brotli by 24\.\d+ ms \(95 % interval 2[34]\.\d+ to 2[56]\.\d+ ms; 40\.\d+ %, .*in 92 % of pairs of reads DCB is the faster \(1 % tied\)\.$/,
  );
});

test('tied reads are distinguished from slower ones', () => {
  // Of 100 pairs, 7 x 10 are greater with the values of 20, and 3 x 7 with those of 10, which are tied in the other 3 x
  // 3.
  const of = reads(null, 10, 10, 10, 20, 20, 20, 20, 20, 20, 20);
  const against = reads(null, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10);
  expect(sentence(of, against)).toContain('in 91 % of pairs of reads DCB is the slower (9 % tied)');
});

test('a difference within the margin is called significant only if the p-value says so', () => {
  const readings = (shift: number) => reads(null, ...brotli.map((value) => value + shift));
  expect(sentence(readings(0.001), readings(0))).not.toContain('is significant');
});

test('values below a thousandth are written out', () => {
  const micro = (shift: number) =>
    reads(null, ...[1, 2, 3, 4, 5, 6, 7, 8].map((step) => (shift + step) * 1e-5));
  expect(sentence(micro(40), micro(0))).toMatch(
    /slower than Brotli by 0\.0004\d* ms \(95 % interval 0\.000[34]\d* to 0\.0004\d* ms/,
  );
});

test('"all" is used only when exactly all are slower', () => {
  const slower = brotli.map((value) => value + 20);
  expect(sentence(reads(null, ...slower), reads(null, ...brotli))).toContain(
    'in all pairs of reads DCB is the slower',
  );
});

test('with one read in each launch, the sentence says that its difference is not that of the medians', () => {
  const each = (...values: number[]) => values.flatMap((value, launch) => reads(launch, value));
  const twice = (...values: number[]) =>
    values.flatMap((value, launch) => reads(launch, value, value));
  const [of, against] = [[13, 14, 12, 15, 13, 14, 40] as const, [10, 10, 10, 10, 10, 10, 10]];
  expect(sentence(each(...of), each(...against))).toMatch(
    /differ by 5\.7.*; with one read in each launch this is the mean over the launches, not the difference of the medians of all reads\.$/,
  );
  expect(sentence(twice(...of), twice(...against))).not.toContain('mean over');
  expect(sentence(reads(null, ...of), reads(null, ...against))).not.toContain('mean over');
});

test('a result for these launches only says so', () => {
  const [of, against] = [reads(1, ...dcb), reads(1, ...brotli)];
  expect(sentence(of, against)).toBe(
    'Whether DCB is slower or faster than Brotli is unknown: 1 and 1 browser launches cannot show how much launches differ; that needs 2 of each.',
  );
  expect(sentence(of, against, 'these launches')).toMatch(
    /^DCB is slower .*; this holds for these launches only\.$/,
  );
});

test.each([
  [0.95, '95'],
  [0.99375, '99.4'],
  [0.995, '99.5'],
  [0.9976, '99.76'],
  [0.9995, '99.95'],
  [0.99999, '99.99'],
])(
  'an interval of confidence %d is called one of %s percent, never of 100',
  (confidence, shown) => {
    const [of, against] = [reads(null, ...dcb), reads(null, ...brotli)];
    const comparison = compare(of, against, { random: createRandom(1), confidence }, names);
    const [verdict] = judge([comparison], { better: 'lower', inconclusive: null });
    expect(verdict && verdictSentence(comparison, verdict, names, readTimes)).toContain(
      ` ms (${shown} % interval `,
    );
  },
);

test('reads whose launch has none of the other group are left out, and counted in the sentence', () => {
  const both = (group: number[]) => [1, 2, 3].flatMap((launch) => reads(launch, ...group));
  expect(sentence([...both(dcb), ...reads(4, 900, 901)], both(brotli))).toMatch(
    /^DCB is slower .*; this leaves out 2 reads from launches without a usable read of the other group\.$/,
  );
  expect(sentence(both(dcb), [...both(brotli), ...reads(4, 900)], 'these launches')).toMatch(
    /; this leaves out 1 read from .*; this holds for these launches only\.$/,
  );
  expect(sentence(both(dcb), both(brotli))).not.toContain('leaves out');
});

test('an interval that excludes 0 is not called a difference when Holm’s correction makes it not significant', () => {
  const comparison = compare(
    reads(null, 7, 8, 9, 10, 11, 12, 13),
    reads(null, 4, 5, 6, 7, 8, 9, 5.5),
    { random: createRandom(3) },
    names,
  );
  const many = Array.from({ length: 60 }, () => comparison);
  const [verdict] = judge(many, { better: 'lower', inconclusive: null });
  if (!verdict) throw new Error('one comparison has one verdict');
  expect(comparison.differenceInterval?.low).toBeGreaterThan(0);
  expect(verdict).toMatchObject({ outcome: 'UNKNOWN', reason: 'may be chance' });
  expect(verdictSentence(comparison, verdict, names, readTimes)).toMatch(
    /^Whether DCB is slower or faster than Brotli is unknown: the medians differ by 4.0 ms \(.*\), and p = 0\.\d+/,
  );
});

test('each kind of bad input has a sentence', () => {
  expect(sentence(reads(1, 1, 2), reads(1, 1))).toContain(
    '2 and 1 reads are too few for an interval, which needs 6 of each',
  );
  const bad = sentence([], reads(1, Number.NaN, -1));
  expect(bad).toContain('DCB has no readings');
  expect(bad).toContain('Brotli has 1 of 2 values that are not finite');
  expect(bad).toContain('Brotli has 1 of 2 values below 0');
  const zero = reads(null, 0, 0, 0, 0, 0, 0);
  expect(sentence(zero, zero)).toContain(
    'the median of Brotli is 0 ms, so there is no relative difference',
  );
});

test('equal values are the same; an undecided comparison says how many more reads are needed', () => {
  const five = reads(null, 5, 5, 5, 5, 5, 5);
  expect(sentence(five, five)).toBe(
    'DCB is the same as Brotli within 2 %: their medians differ by 0 % (95 % interval 0 % to 0 %).',
  );
  const open = sentence(reads(null, 1, 9, 3, 7, 5, 5), reads(null, 2, 8, 4, 6, 5, 6));
  expect(open).toMatch(
    /leaves open both no difference and one of 2 % or more; (about|more than) \d+ more reads of each would probably settle it\.$/,
  );
});
