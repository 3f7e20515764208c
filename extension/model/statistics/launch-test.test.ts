import { expect, test } from 'vitest';
import { launchLogMedian, launchLogSpread, launchMedian, launchTest } from './launch-test.ts';
import { oneSampleT, welch } from './welch.ts';

const of = [
  [11, 12, 13],
  [21, 22, 23],
  [31, 33, 35],
];
const against = [
  [10, 10.5, 11],
  [20, 21, 22],
  [30, 31, 32],
];

test('paired launches are tested by their differences, others by their medians', () => {
  expect(launchTest({ kind: 'paired by launch', of, against }, launchMedian)).toEqual(
    oneSampleT([1.5, 1, 2]),
  );
  expect(launchTest({ kind: 'by launch', of, against }, launchMedian)).toEqual(
    welch([12, 22, 33], [10.5, 21, 31]),
  );
});

test('one launch tells nothing, nor does a median of 0 on a logarithmic scale', () => {
  const one = { kind: 'by launch', of: of.slice(0, 1), against } as const;
  expect(launchTest(one, launchMedian)).toBeNull();
  const zero = { kind: 'paired by launch', of: [[0], [1]], against: [[1], [1]] } as const;
  expect(launchTest(zero, launchLogMedian)).toBeNull();
});

test('the spread of a launch is that of its middle half', () => {
  expect(launchLogSpread([0, 10, 20, 30, 40])).toBeCloseTo(Math.log(20), 12);
  expect(launchLogSpread([5, 5, 5, 5])).toBe(-Infinity);
  expect(launchLogSpread([1, 2, 3])).toBeNaN();
});
