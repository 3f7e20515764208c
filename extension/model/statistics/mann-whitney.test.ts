import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { mannWhitney } from './mann-whitney.ts';

/** U by its definition: pairs are counted one by one. */
function countedU(first: readonly number[], second: readonly number[]): number {
  const pairs = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return pairs.reduce<number>((total, won) => total + won, 0);
}

/** All ways to split `values` into a first group of `size` and a second of the rest. */
function deals(values: readonly number[], size: number): [number[], number[]][] {
  const [value, ...rest] = values;
  if (value === undefined) return size === 0 ? [[[], []]] : [];
  const taken = size > 0 ? deals(rest, size - 1) : [];
  return [
    ...taken.map(([a, b]): [number[], number[]] => [[value, ...a], b]),
    ...deals(rest, size).map(([a, b]): [number[], number[]] => [a, [value, ...b]]),
  ];
}

test('the exact p-value is the share of permutations at least as extreme, with or without ties', () => {
  const groups = fc.tuple(
    fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 }),
    fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 }),
  );
  fc.assert(
    fc.property(groups, ([first, second]) => {
      const result = mannWhitney(first, second);
      const u = countedU(first, second);
      const all = deals([...first, ...second], first.length).map(([a, b]) => countedU(a, b));
      const below = all.filter((other) => other <= u).length;
      const above = all.filter((other) => other >= u).length;
      expect(result?.u).toBe(u);
      expect(result?.p).toBeCloseTo(Math.min(1, (2 * Math.min(below, above)) / all.length), 12);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('agrees with SciPy 1.17: exact without ties, approximate with ties', () => {
  const exact = mannWhitney(normalish.slice(0, 8), skewed.slice(0, 7));
  expect(exact).toMatchObject({ u: 34, method: 'exact' });
  expect(exact?.p).toBeCloseTo(0.5358197358197359, 14);
  const approximate = mannWhitney(normalish, skewed);
  expect(approximate).toMatchObject({ u: 387, method: 'normal' });
  expect(approximate?.p).toBeCloseTo(0.8458658231784153, 12);
});

interface RankSumHistogram {
  record: (value: number) => void;
  mannWhitneyTest: (other: RankSumHistogram) => { uStatistic: number; pValue: number };
}

test('agrees with the histograms of Node.js, except for their missing continuity correction', () => {
  const histogramOf = (values: readonly number[]): RankSumHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as RankSumHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const later = skewed.map((value) => value + 8);
  const oracle = histogramOf(normalish).mannWhitneyTest(histogramOf(later));
  const result = mannWhitney(normalish, later);
  const greater = result?.u ?? Number.NaN;
  expect([greater, normalish.length * later.length - greater]).toContain(oracle.uStatistic);
  expect(result?.p).toBeGreaterThan(oracle.pValue);
  expect(result?.p).toBeCloseTo(oracle.pValue, 2);
});

test('equal values give p = 1; separate groups give the least p that their sizes allow', () => {
  expect(mannWhitney([5, 5], [5, 5, 5])).toEqual({
    u: 3,
    variance: 0,
    p: 1,
    method: 'exact',
  });
  const many = Array.from({ length: 30 }, () => 5);
  expect(mannWhitney(many, many)).toMatchObject({ u: 450, p: 1, method: 'normal' });
  expect(mannWhitney([1, 2, 3], [4, 5, 6])?.p).toBeCloseTo(0.1, 14);
  expect(mannWhitney([1], [2])?.p).toBe(1);
});

test('an empty group and a value that is not finite give null', () => {
  expect(mannWhitney([], [1])).toBeNull();
  expect(mannWhitney([1], [])).toBeNull();
  expect(mannWhitney([1], [Number.NaN])).toBeNull();
  expect(mannWhitney([Infinity], [1])).toBeNull();
});
