import { createHistogram } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { rankEffect } from './effect-size.ts';
import type { Launches } from './design.ts';
import { normalish, skewed } from '../fixtures/two-groups.ts';

const effectOf = (of: Launches, against: Launches, isPaired = false) =>
  rankEffect({ kind: isPaired ? 'paired by launch' : 'by launch', of, against, leftOut: 0 });

interface EffectHistogram {
  record: (value: number) => void;
  cliffsD: (other: EffectHistogram) => number;
}

test('agrees with the histograms of Node.js', () => {
  const histogramOf = (values: readonly number[]): EffectHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as EffectHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const [first, second] = [histogramOf(normalish), histogramOf(skewed)];
  const share = effectOf([normalish], [skewed])?.greaterShare ?? 0;
  expect(2 * share - 1).toBeCloseTo(first.cliffsD(second), 12);
});

test('computed by hand: 7 of 9 pairs are greater, one is tied', () => {
  expect(effectOf([[3, 5, 6]], [[1, 3, 4]])).toEqual({ greaterShare: 7.5 / 9, tiedShare: 1 / 9 });
  expect(effectOf([[1, 2]], [[3, 4]])).toMatchObject({ greaterShare: 0 });
  expect(effectOf([[2, 2]], [[2]])).toMatchObject({ greaterShare: 0.5 });
});

test('paired launches: values are compared with those of the same launch', () => {
  const [of, against] = [
    [[2], [102]],
    [[1], [101]],
  ];
  expect(effectOf(of, against, true)?.greaterShare).toBe(1);
  expect(effectOf(of, against)?.greaterShare).toBe(0.75);
});

test('no pair gives null', () => {
  expect(effectOf([[]], [[1]])).toBeNull();
});
