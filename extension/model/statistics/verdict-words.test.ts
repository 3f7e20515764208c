// Property test of the sentences: generated comparisons of every kind, whose sentences must agree with their values.
import { createRandom } from '@cachescope/model/statistics/random.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { type Comparison, compareFamily, type GroupPair } from './comparison.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';
import { judge, type Verdict } from './verdict.ts';
import { readTimes, verdictSentence } from './verdict-sentence.ts';

const alpha = 0.05;
const margin = 0.02;

/** A family of one to four comparisons with a random design, scale, spread, gap and timer. */
function family(random: () => number): GroupPair[] {
  const normal = normalVariate(random);
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const [scale, spread, apart] = [
    oneOf([1e-5, 0.01, 20, 3000]),
    oneOf([0, 0.01, 0.05, 0.5]),
    oneOf([0, 0.02, 0.1]),
  ];
  const [launches, reads] = [oneOf([1, 2, 3, 5]), oneOf([1, 3, 6])];
  const [paired, gap, step] = [
    random() < 0.6,
    oneOf([0, 0.002, 0.02, 0.05, 1]),
    oneOf([0, 0, 0.5, 3]),
  ];
  const scope = launches < 3 ? 'these launches' : oneOf(['any launch', 'these launches'] as const);
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
    return { of: group(1 + gap, 0), against: group(1, paired ? 0 : 100), scope };
  });
}

/** Claims of a sentence that its values contradict. */
function contradictions(sentence: string, comparison: Comparison, verdict: Verdict): string[] {
  const {
    difference,
    differenceInterval: ms,
    relative,
    relativeInterval: share,
    effect,
  } = comparison;
  const { outcome, direction } = verdict;
  const inside = (value: number | null, ends: typeof ms): boolean => {
    if (value === null || ends === null) return true;
    const rounding = 1e-9 * Math.max(Math.abs(ends.low), Math.abs(ends.high));
    return ends.low - rounding <= value && value <= ends.high + rounding;
  };
  const sign = (value: number | null): number => Math.sign(value ?? 0);
  const claims: [string, boolean][] = [
    ['the estimate lies in its interval', inside(difference, ms) && inside(relative, share)],
    [
      'difference and share have one sign',
      relative === null || sign(difference) === sign(relative),
    ],
    ['different: beside 0, beyond chance', outcome !== 'DIFFERENT' || verdict.beyondChance],
    [
      'different: the way it goes',
      outcome !== 'DIFFERENT' || (direction === 'greater') === (difference ?? 0) > 0,
    ],
    [
      'different: the word',
      outcome !== 'DIFFERENT' ||
        sentence.includes(direction === 'greater' ? 'A is slower' : 'A is faster'),
    ],
    ['same: within the margin', outcome !== 'SAME' || Math.abs(relative ?? 1) < margin],
    [
      'significant: only below alpha',
      !sentence.includes('is significant') || (verdict.p ?? 1) <= alpha,
    ],
    [
      'open: no difference is',
      !sentence.includes('leaves open both') || (ms !== null && ms.low <= 0 && ms.high >= 0),
    ],
    [
      'open: the margin is',
      !sentence.includes('or more') ||
        (share !== null && Math.max(-share.low, share.high) >= margin),
    ],
    ['no number is lost', !/NaN|Infinity|undefined|null/.test(sentence)],
    [
      'all: only when all',
      !sentence.includes('in all pairs of reads A') || Math.abs(effect?.cliffsDelta ?? 0) === 1,
    ],
    [
      'what is shown: the estimate between its ends, the ends beside 0',
      areInOrder(sentence, outcome),
    ],
  ];
  return claims.filter(([, holds]) => !holds).map(([claim]) => claim);
}

/** Parses `by 24.1 ms (95 % interval 23.9 to 25.3 ms`: the numbers as printed. */
function areInOrder(sentence: string, outcome: Verdict['outcome']): boolean {
  const number = String.raw`(-?[\d.,]+(?:e-\d+)?)`;
  const found = new RegExp(
    `by ${number} (?:ms|%) \\([\\d.]+ % interval ${number}(?: %)? to ${number} `,
  ).exec(sentence);
  if (!found) return outcome !== 'DIFFERENT';
  const [estimate = 0, low = 0, high = 0] = found
    .slice(1)
    .map((text) => Number(text.replaceAll(',', '')));
  return low <= estimate && estimate <= high && (outcome !== 'DIFFERENT' || low > 0);
}

// Two comparisons per family on average: 5,000 here, 100,000 in the property tests.
test('no sentence contradicts its numbers', () => {
  const judged = (seed: number): string[] => {
    const random = createRandom(seed);
    const comparisons = compareFamily(family(random), { random, resamples: 60 });
    const verdicts = judge(comparisons, { better: 'lower', margin, alpha, inconclusive: null });
    return comparisons.flatMap((comparison, index) => {
      const verdict = verdicts[index];
      if (!verdict) return [];
      const sentence = verdictSentence(comparison, verdict, { of: 'A', against: 'B' }, readTimes);
      return contradictions(sentence, comparison, verdict).map((claim) => `${claim}: ${sentence}`);
    });
  };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(judged(seed)).toEqual([]);
    }),
    // Regression examples: differences and intervals that are 0 except for rounding.
    {
      numRuns: propertyRuns(2500),
      examples: [[366149043], [135899013], [1967194384], [-1740195564]],
    },
  );
});
