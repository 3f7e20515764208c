// A/A tests: two groups of the same distribution, compared many times. Every DIFFERENT is a false positive. The seed is
// fixed, so the counts are the same in every run; the bounds are quantiles of the binomial distribution at the nominal
// 5 %.
import { createRandom } from '@cachescope/model/statistics/random.ts';
import {
  type Comparison,
  compare,
  compareFamily,
} from '@cachescope/model/statistics/comparison.ts';
import { normalVariate } from '@cachescope/model/fixtures/normal-variate.ts';
import { verdictOf } from '@cachescope/model/statistics/verdict.ts';
import { describe, expect, test } from 'vitest';

const trials = 2000;
/** At a true rate of 5 %, more than 130 of 2,000 occur in 1 of 800 runs (binomial; mean 100, sd 9.75). */
const mostFalse = 130;
const random = createRandom(20_261_122);
const normal = normalVariate(random);

const laws = {
  normal: () => 20 + normal(),
  lognormal: () => 20 * Math.exp(normal() / 2),
  exponential: () => 10 - Math.log(1 - random()),
  'rounded to a timer of 0.1 sd': () => Math.round(10 * (20 + normal())) / 10,
};

const isFalse = (comparisons: readonly Comparison[]) =>
  comparisons.some(
    (comparison) =>
      verdictOf(comparison, { better: 'lower', inconclusive: null }).outcome === 'DIFFERENT',
  );

function falsePositives(count: number, draw: () => Comparison[]): number {
  return Array.from({ length: count }, draw).filter(isFalse).length;
}

/** One reading in each of 20 launches. */
const singles = (draw: () => number) =>
  Array.from({ length: 20 }, () => ({ value: draw(), launch: null }));

/** Both groups have their own launches, whose means differ by one sd: four samples per launch. */
function launches(count: number): Comparison {
  const group = (first: number) =>
    Array.from({ length: count }, (_, launch) => ({
      level: 100 + normal(),
      launch: first + launch,
    }))
      .flatMap((each) => [each, each, each, each])
      .map(({ level, launch }) => ({ value: level + normal(), launch }));
  return compare(group(0), group(count));
}

describe('false positives of a verdict', () => {
  test.each(Object.entries(laws))('single comparisons, %s', (_name, draw) => {
    expect(
      falsePositives(trials, () => [compare(singles(draw), singles(draw))]),
    ).toBeLessThanOrEqual(mostFalse);
  });

  test.each([3, 5, 10])('single comparisons in %i launches that differ by one sd', (count) => {
    expect(falsePositives(trials, () => [launches(count)])).toBeLessThanOrEqual(mostFalse);
  });

  test('a family of 12 comparisons judged together', () => {
    const pair = () => ({ of: singles(laws.normal), against: singles(laws.normal) });
    const family = () => compareFamily(Array.from({ length: 12 }, pair));
    // Of 300 families, more than 29 have a false positive in 1 of 2,000 runs at a true rate of 5 % (mean 15, sd 3.8).
    expect(falsePositives(300, family)).toBeLessThanOrEqual(29);
  });

  test('the test has power: groups that differ by half an sd are called different more often', () => {
    const shifted = () => {
      const group = (shift: number) =>
        Array.from({ length: 20 }, () => ({ value: shift + normal(), launch: null }));
      return [compare(group(20.5), group(20))];
    };
    expect(falsePositives(trials, shifted)).toBeGreaterThan(mostFalse);
  });
});
