import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';

/** The distance by its definition, times the sizes of the groups: an integer. */
function distance(first: readonly number[], second: readonly number[]): number {
  const atMost = (values: readonly number[], x: number): number =>
    values.filter((value) => value <= x).length;
  const places = [...first, ...second];
  const gap = (x: number): number =>
    Math.abs(atMost(first, x) * second.length - atMost(second, x) * first.length);
  return Math.max(...places.map(gap));
}

/** All choices of `size` of `count` positions. */
function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const firsts = Array.from({ length: count - from }, (_, index) => from + index);
  return firsts.flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

test('the exact p-value is the share of permutations with at least the observed distance, with or without ties', () => {
  const groups = fc.tuple(
    fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 }),
    fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 }),
  );
  fc.assert(
    fc.property(groups, ([first, second]) => {
      const all = [...first, ...second];
      const seen = distance(first, second);
      const dealt = choices(all.length, first.length).map((chosen) =>
        distance(
          all.filter((_, index) => chosen.includes(index)),
          all.filter((_, index) => !chosen.includes(index)),
        ),
      );
      const result = kolmogorovSmirnov(first, second);
      expect(result?.d).toBeCloseTo(seen / (first.length * second.length), 14);
      expect(result?.p).toBeCloseTo(
        dealt.filter((other) => other >= seen).length / dealt.length,
        12,
      );
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('agrees with SciPy 1.17 without ties', () => {
  const untied = skewed.map((value, index) => value + 0.05 + index / 1e6);
  expect(kolmogorovSmirnov(normalish, untied)?.d).toBeCloseTo(0.3333333333333333, 12);
  expect(kolmogorovSmirnov(normalish, untied)?.p).toBeCloseTo(0.07589608911163262, 12);
});

test("many values: the approximation agrees with SciPy's exact value to two digits", () => {
  const first = Array.from({ length: 1500 }, (_, index) => index / 1500);
  const second = Array.from({ length: 1400 }, (_, index) => (index / 1400) * 1.02 + 0.013);
  const result = kolmogorovSmirnov(first, second);
  expect(result?.method).toBe('asymptotic');
  expect(result?.d).toBeCloseTo(0.032952380952380955, 10);
  expect((result?.p ?? 0) / 0.40042667405488624).toBeCloseTo(1, 1);
});

interface KsHistogram {
  record: (value: number) => void;
  ksTest: (other: KsHistogram) => number;
}

test('the distance agrees with the histograms of Node.js', () => {
  const histogramOf = (values: readonly number[]): KsHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as KsHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const oracle = histogramOf(normalish).ksTest(histogramOf(skewed));
  expect(kolmogorovSmirnov(normalish, skewed)?.d).toBeCloseTo(oracle, 12);
});

test('handles equal groups, single values and bad input', () => {
  expect(kolmogorovSmirnov([5, 5], [5, 5, 5])).toMatchObject({ d: 0, p: 1 });
  expect(kolmogorovSmirnov([1], [2])).toMatchObject({ d: 1, p: 1 });
  expect(kolmogorovSmirnov([], [1])).toBeNull();
  expect(kolmogorovSmirnov([1], [Number.NaN])).toBeNull();
});
