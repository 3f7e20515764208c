import { mean, sampleVariance } from 'simple-statistics';
import { expect, test } from 'vitest';
import type { LaunchGap } from './launch-gap.ts';
import { moderated, priorOf } from './moderation.ts';
import { normalQuantile } from './normal.ts';
import { createRandom } from './random.ts';
import { studentCritical } from './student-t.ts';

const variances = (values: readonly number[], freedom: number) =>
  values.map((variance) => ({ variance, freedom, level: 10 }));

// The moments of Smyth (2004), equations in 6.2, solved with SciPy 1.17 (optimize.brentq over special.polygamma).
test('the prior agrees with an independent computation', () => {
  const prior = priorOf(variances([1, 4, 9, 0.5, 30], 4));
  expect(prior?.freedomAt(10)).toBeCloseTo(1.7109407693324241, 9);
  expect(prior?.varianceAt(10)).toBeCloseTo(2.3184958772030577, 9);
  const unlike = variances([0.1, 40, 2, 700, 0.01], 4).map((each, index) => ({
    ...each,
    freedom: [4, 4, 3, 5, 4][index] ?? 4,
  }));
  expect(priorOf(unlike)?.freedomAt(10)).toBeCloseTo(0.47123501312518873, 9);
  expect(priorOf(unlike)?.varianceAt(10)).toBeCloseTo(0.14089727179298833, 9);
});

test('equal variances give a prior of 2 degrees of freedom at most', () => {
  const prior = priorOf(variances([1, 1.2, 0.9, 1.1], 4));
  expect(prior?.freedomAt(10)).toBe(2);
  expect(prior?.varianceAt(10)).toBeCloseTo(1.3681105819560386, 9);
});

test('two variances, or three without spread, give no prior', () => {
  expect(priorOf(variances([1, 2], 4))).toBeNull();
  expect(priorOf(variances([0, 0, 0], 4))).toBeNull();
});

test('where levels differ, the prior follows the variance over them', () => {
  // log variance = 1 + 1.5 log level, each variance 10 times off: least squares gives the line back.
  const levels = [1, 1, 10, 10, 100, 100];
  const off = levels.map((level, index) => ({
    variance: Math.E * level ** 1.5 * (index % 2 === 0 ? 10 : 0.1),
    freedom: 4,
    level,
  }));
  const prior = priorOf(off);
  const at = (level: number) => prior?.varianceAt(level) ?? Number.NaN;
  expect(at(100) / at(10)).toBeCloseTo(10 ** 1.5, 9);
  expect(at(10) / at(1)).toBeCloseTo(10 ** 1.5, 9);
  expect(priorOf(off.slice(0, 5))).toBeNull();
});

test.each([
  ['spread evenly', Array.from({ length: 8 }, (_, index) => 10 ** (index / 2))],
  ['but one far from the others', [11, 12, 17, 25, 33, 1200]],
])(
  '95 % intervals miss about as often at each level: scatter in proportion to levels %s',
  (_, levels) => {
    const random = createRandom(11);
    const normal = () => normalQuantile(random());
    const launches = 3;
    const rounds = 2000;
    const missed = levels.map(() => 0);
    for (let round = 0; round < rounds; round++) {
      const gaps = levels.map((level): LaunchGap => {
        const values = Array.from({ length: launches }, () => level * normal());
        const error = Math.sqrt(sampleVariance(values) / launches);
        const difference = { value: mean(values), error, freedom: launches - 1 };
        return { difference, logRatio: null, launches, middle: level };
      });
      for (const [index, found] of moderated(gaps).entries()) {
        const { value, error, freedom } = found?.difference ?? { value: 0, error: 0, freedom: 1 };
        if (Math.abs(value) > studentCritical(0.95, freedom) * error)
          missed[index] = (missed[index] ?? 0) + 1;
      }
    }
    for (const count of missed) {
      expect(count / rounds).toBeGreaterThan(0.02);
      expect(count / rounds).toBeLessThan(0.075);
    }
  },
);

const gap = (error: number): LaunchGap => ({
  difference: { value: 3, error, freedom: 4 },
  logRatio: { value: 0.03, error: error / 100, freedom: 4 },
  launches: 5,
  middle: 100,
});

test('each error moves towards the prior, that of the ratio in proportion, and gains degrees of freedom', () => {
  const gaps = [1, 1.1, 0.3, 1.05, 0.95].map(gap);
  const [first, , narrow] = moderated([...gaps, null]);
  const freedom = (first?.difference.freedom ?? 0) - 4;
  expect(freedom).toBeGreaterThan(0);
  expect(freedom).toBeLessThanOrEqual(2);
  expect(first?.difference.value).toBe(3);
  expect(narrow?.difference.error).toBeGreaterThan(0.3);
  expect(narrow?.difference.error).toBeLessThan(1);
  expect(narrow?.logRatio?.error).toBeCloseTo((narrow?.difference.error ?? 0) / 100, 12);
  expect(moderated([...gaps, null]).at(-1)).toBeNull();
});

test('a gap without scatter gets an error from the prior', () => {
  const [, , still] = moderated([1, 1.1, 0, 1.05, 0.95].map(gap));
  expect(still?.difference.error).toBeGreaterThan(0);
  expect(still?.logRatio?.error).toBeGreaterThan(0);
});
