// Property test of the sentences: generated comparisons of every kind, whose sentences must agree with their values.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { createRandom } from './random.ts';
import type { Reading } from './readings.ts';
import { type Judged, type JudgedPair, judgedFamily } from './verdict.ts';
import { readTimes, verdictSentence } from './verdict-sentence.ts';

const margin = 0.02;

/** A family of one to four comparisons with a random design, scale, spread, gap and timer. */
function family(random: () => number): JudgedPair[] {
  const normal = normalVariate(random);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const [scale, spread, apart] = [
    oneOf([1e-5, 0.01, 20, 3000]),
    oneOf([0, 0.01, 0.05, 0.5]),
    oneOf([0, 0.02, 0.1]),
  ];
  const [launches, reads] = [oneOf([1, 2, 3, 5, 8]), oneOf([1, 3, 6])];
  const [isPaired, gap, step] = [
    random() < 0.6,
    oneOf([0, 0.002, 0.02, 0.05, 1]),
    oneOf([0, 0, 0.5, 3]),
  ];
  const rounded = (value: number): number =>
    step === 0 ? value : Math.round(value / (step * scale * 0.1)) * step * scale * 0.1;
  return Array.from({ length: oneOf([1, 1, 4]) }, () => {
    const levels = Array.from({ length: launches }, () => Math.exp(apart * normal()));
    const group = (times: number, first: number): Reading[] =>
      levels.flatMap((level, launch) =>
        Array.from({ length: reads }, () => ({
          value: rounded(Math.max(0, scale * times * level * (1 + spread * normal()))),
          launch: random() < 0.02 ? null : first + launch,
        })),
      );
    const inconclusive = random() < 0.2 ? 'the two differ in 2 things' : null;
    return { of: group(1 + gap, 0), against: group(1, isPaired ? 0 : 100), inconclusive };
  });
}

const number = String.raw`(-?[\d.,]+(?:e-\d+)?)`;
const valueOf = (text = ''): number => Number(text.replaceAll(',', ''));

/** What a sentence states, parsed from its text. */
function parsed(sentence: string) {
  const word = /^A is (slower|faster|the same)|^(Unknown)/.exec(sentence)?.slice(1).join('');
  const stated = new RegExp(
    `(?:by|difference is) ${number} (ms|%)(?:, ${number} %)? \\([\\d.]+ % interval ${number}(?: %)? to ${number} (?:ms|%)`,
  ).exec(sentence);
  if (!stated) return { word, stated: null };
  const [, estimate, unit, share, low, high] = stated;
  const ends = { low: valueOf(low), high: valueOf(high) };
  return {
    word,
    stated: { estimate: valueOf(estimate), unit, share: share && valueOf(share), ...ends },
  };
}

/** Claims of a sentence that its own numbers, or those of the comparison, contradict. */
function contradictions(sentence: string, judged: Judged<JudgedPair>): string[] {
  const { comparison, verdict, inconclusive } = judged;
  const { difference, differenceInterval: ms, relative, of, against } = comparison;
  const { word, stated } = parsed(sentence);
  const sign = word === 'faster' ? -1 : 1;
  const expected = word === 'the same' ? 100 * (relative ?? 0) : sign * (difference ?? 0);
  const near = (shown: number, value: number, width: number): boolean =>
    // Times are shown to 1 µs.
    Math.abs(shown - value) <= 0.06 * width + 0.006 * Math.abs(value) + 0.0005;
  const width = stated ? stated.high - stated.low : 0;
  const claims: [string, boolean][] = [
    ['the word is that of the verdict', word === words[verdict.outcome](verdict.direction)],
    [
      'a pair without a verdict says why, and only such a pair',
      ms === null
        ? verdict.outcome === 'UNKNOWN'
        : sentence.includes(`inconclusive, because ${inconclusive}`) ===
          (inconclusive !== null && verdict.outcome === 'UNKNOWN'),
    ],
    [
      'a pair without a verdict has none',
      !inconclusive || (verdict.outcome === 'UNKNOWN' && verdict.better === null),
    ],
    ['a verdict has numbers', ms === null ? stated === null : stated !== null],
    ['three launches', ms === null || Math.min(of.launches, against.launches) >= 3],
    ['the estimate is that of the comparison', !stated || near(stated.estimate, expected, width)],
    [
      'the estimate is in its interval',
      !stated || (stated.low <= stated.estimate && stated.estimate <= stated.high),
    ],
    [
      'different: the interval excludes 0',
      verdict.outcome !== 'DIFFERENT' || (stated?.low ?? 0) > 0,
    ],
    [
      'same: the interval is within the margin',
      verdict.outcome !== 'SAME' || (stated !== null && stated.low >= -2 && stated.high <= 2),
    ],
    [
      'unknown: the interval includes 0',
      !sentence.includes('includes 0') || (stated !== null && stated.low <= 0 && stated.high >= 0),
    ],
    [
      'significant: only where it excludes 0',
      !sentence.includes('significant') || (stated !== null && stated.low * stated.high > 0),
    ],
    [
      'p is below 5 % exactly where a difference is shown',
      verdict.p === null ||
        verdict.reason === 'inconclusive' ||
        Math.abs(verdict.p - 0.05) < 1e-9 ||
        verdict.p < 0.05 === verdict.beyondChance,
    ],
    [
      'the levels differ by the difference',
      difference === null ||
        Math.abs((of.median ?? 0) - (against.median ?? 0) - difference) <=
          1e-9 * (of.median ?? 0) + 1e-12,
    ],
    ['no number is lost', !/NaN|Infinity|undefined|null/.test(sentence)],
  ];
  return claims.filter(([, holds]) => !holds).map(([claim]) => claim);
}

const words = {
  DIFFERENT: (direction: string | null) => (direction === 'greater' ? 'slower' : 'faster'),
  SAME: () => 'the same',
  UNKNOWN: () => 'Unknown',
};

// Two comparisons per family on average: 5,000 here, 100,000 in the property tests.
test('no sentence contradicts its numbers', () => {
  const judged = (seed: number): string[] =>
    judgedFamily(family(createRandom(seed)), {
      better: 'lower',
      margin,
      inconclusive: null,
    }).flatMap((each) => {
      const { comparison, verdict } = each;
      const sentence = verdictSentence(comparison, verdict, { of: 'A', against: 'B' }, readTimes);
      return contradictions(sentence, each).map((claim) => `${claim}: ${sentence}`);
    });
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(judged(seed)).toEqual([]);
    }),
    // Regression examples: differences and intervals that are 0, or 10 µs, except for rounding.
    {
      numRuns: propertyRuns(2500),
      examples: [[366149043], [135899013], [1967194384], [-1740195564], [-240483414]],
    },
  );
});
