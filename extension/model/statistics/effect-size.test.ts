import { createHistogram } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { effectSize, rankEffect, standardizedDifference } from './effect-size.ts';
import { normalish, skewed } from '../fixtures/two-groups.ts';

test("Cohen's d and Hedges' g agree with a computation in NumPy", () => {
  const difference = standardizedDifference(normalish, skewed);
  expect(difference?.cohensD).toBeCloseTo(0.028910306939994163, 12);
  expect(difference?.hedgesG).toBeCloseTo(0.028498933897421624, 12);
});

interface EffectHistogram {
  record: (value: number) => void;
  cliffsD: (other: EffectHistogram) => number;
  cohensD: (other: EffectHistogram) => number;
}

test('agrees with the histograms of Node.js', () => {
  const histogramOf = (values: readonly number[]): EffectHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as EffectHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const [first, second] = [histogramOf(normalish), histogramOf(skewed)];
  expect(rankEffect([normalish], [skewed], false)?.cliffsDelta).toBeCloseTo(
    first.cliffsD(second),
    12,
  );
  expect(standardizedDifference(normalish, skewed)?.cohensD).toBeCloseTo(first.cohensD(second), 4);
});

test('computed by hand: 7 of 9 pairs are greater, one is tied', () => {
  expect(rankEffect([[3, 5, 6]], [[1, 3, 4]], false)).toEqual({
    greaterShare: 7.5 / 9,
    tiedShare: 1 / 9,
    cliffsDelta: expect.closeTo(6 / 9, 14),
    size: 'large',
  });
  expect(rankEffect([[1, 2]], [[3, 4]], false)).toMatchObject({ greaterShare: 0, cliffsDelta: -1 });
  expect(rankEffect([[2, 2]], [[2]], false)).toMatchObject({
    greaterShare: 0.5,
    size: 'negligible',
  });
});

test('paired launches: values are compared with those of the same launch', () => {
  const of = [[2], [102]];
  const against = [[1], [101]];
  expect(rankEffect(of, against, true)?.greaterShare).toBe(1);
  expect(rankEffect(of, against, false)?.greaterShare).toBe(0.75);
});

test('the word changes at .15, .33 and .47, for both signs', () => {
  const words = [0.149, 0.15, 0.329, 0.33, 0.469, 0.47, 1].map(effectSize);
  expect(words).toEqual(['negligible', 'small', 'small', 'moderate', 'moderate', 'large', 'large']);
  expect([-0.149, -0.15, -0.33, -0.47].map(effectSize)).toEqual([
    'negligible',
    'small',
    'moderate',
    'large',
  ]);
});

test('no spread, too few values and bad input give null', () => {
  expect(standardizedDifference([1, 1], [2, 2])).toBeNull();
  expect(standardizedDifference([1], [2, 3])).toBeNull();
  expect(standardizedDifference([1, Number.NaN], [2, 3])).toBeNull();
  expect(rankEffect([[]], [[1]], false)).toBeNull();
});
