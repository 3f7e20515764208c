import { createHistogram } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { pValueOf, type Estimate, intervalAround, meanEstimate, welch } from './welch.ts';

/** The t test of an estimate, with its 95 % interval. */
function testOf(estimate: Estimate | null) {
  if (!estimate) throw new Error('two groups of two and more values have an estimate');
  const { value, error, freedom } = estimate;
  return {
    t: value / error,
    freedom,
    p: pValueOf(estimate),
    interval: intervalAround(estimate, 0.95),
  };
}

test("Welch's test agrees with SciPy 1.17", () => {
  const test = testOf(welch(normalish, skewed));
  expect(test.t).toBeCloseTo(0.1012108190787991, 12);
  expect(test.freedom).toBeCloseTo(34.56082995140243, 10);
  expect(test.p).toBeCloseTo(0.9199680114798422, 12);
  expect(test.interval.low).toBeCloseTo(-7.245583857540426, 9);
  expect(test.interval.high).toBeCloseTo(8.005583857540445, 9);
});

test("Student's test of one group agrees with SciPy 1.17", () => {
  const test = testOf(meanEstimate(normalish.map((value) => value - 100)));
  expect(test.t).toBeCloseTo(-1.342703442242177, 12);
  expect(test.p).toBeCloseTo(0.18978411474058193, 12);
  expect(test.interval.low).toBeCloseTo(-5.45015022083323, 9);
  expect(test.interval.high).toBeCloseTo(1.1301502208332308, 9);
});

interface WelchHistogram {
  record: (value: number) => void;
  welchTest: (other: WelchHistogram) => { degreesOfFreedom: number; pValue: number };
}

test('agrees with the histograms of Node.js', () => {
  const histogramOf = (values: readonly number[]): WelchHistogram => {
    const histogram = createHistogram({ figures: 5 }) as unknown as WelchHistogram;
    for (const value of values) histogram.record(Math.round(value * 10));
    return histogram;
  };
  const later = skewed.map((value) => value + 8);
  const oracle = histogramOf(normalish).welchTest(histogramOf(later));
  expect(testOf(welch(normalish, later)).freedom).toBeCloseTo(oracle.degreesOfFreedom, 9);
  expect(testOf(welch(normalish, later)).p).toBeCloseTo(oracle.pValue, 9);
});

test('without spread, a difference has p = 0 and equal means have p = 1', () => {
  expect(welch([1, 1], [2, 2])).toEqual({ value: -1, error: 0, freedom: 2 });
  expect(testOf(welch([1, 1], [2, 2])).p).toBe(0);
  expect(testOf(welch([1, 1], [1, 1]))).toMatchObject({ p: 1, interval: { low: 0, high: 0 } });
  expect(testOf(meanEstimate([3, 3])).p).toBe(0);
});

test('one value has no variance', () => {
  expect([welch([1], [1, 2]), welch([1, 2], []), meanEstimate([1])]).toEqual([null, null, null]);
  expect([welch([1, Number.NaN], [1, 2]), meanEstimate([1, Infinity])]).toEqual([null, null]);
});
