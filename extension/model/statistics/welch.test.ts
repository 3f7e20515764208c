import { createHistogram } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { normalish, skewed } from './fixture.ts';
import { oneSampleT, welch } from './welch.ts';

test("Welch's test agrees with SciPy 1.17", () => {
  const test = welch(normalish, skewed);
  expect(test?.t).toBeCloseTo(0.1012108190787991, 12);
  expect(test?.freedom).toBeCloseTo(34.56082995140243, 10);
  expect(test?.p).toBeCloseTo(0.9199680114798422, 12);
  expect(test?.interval.low).toBeCloseTo(-7.245583857540426, 9);
  expect(test?.interval.high).toBeCloseTo(8.005583857540445, 9);
});

test("Student's test of one group agrees with SciPy 1.17", () => {
  const test = oneSampleT(normalish.map((value) => value - 100));
  expect(test?.t).toBeCloseTo(-1.342703442242177, 12);
  expect(test?.p).toBeCloseTo(0.18978411474058193, 12);
  expect(test?.interval.low).toBeCloseTo(-5.45015022083323, 9);
  expect(test?.interval.high).toBeCloseTo(1.1301502208332308, 9);
});

interface WelchHistogram {
  record: (value: number) => void;
  welchTest: (other: WelchHistogram) => { degreesOfFreedom: number; pValue: number };
}

test('agrees with the histograms of Node', () => {
  const histogramOf = (values: readonly number[]): WelchHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as WelchHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const later = skewed.map((value) => value + 8);
  const oracle = histogramOf(normalish).welchTest(histogramOf(later));
  expect(welch(normalish, later)?.freedom).toBeCloseTo(oracle.degreesOfFreedom, 9);
  expect(welch(normalish, later)?.p).toBeCloseTo(oracle.pValue, 9);
});

test('without spread a difference is certain and no difference is none', () => {
  expect(welch([1, 1], [2, 2])).toMatchObject({ difference: -1, t: -Infinity, p: 0 });
  expect(welch([1, 1], [1, 1])).toMatchObject({ t: 0, p: 1, interval: { low: 0, high: 0 } });
  expect(oneSampleT([3, 3])).toMatchObject({ t: Infinity, p: 0 });
});

test('one value has no spread to judge by', () => {
  expect([welch([1], [1, 2]), welch([1, 2], []), oneSampleT([1])]).toEqual([null, null, null]);
  expect([welch([1, Number.NaN], [1, 2]), oneSampleT([1, Infinity])]).toEqual([null, null]);
});
