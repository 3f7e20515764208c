import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { launchDifference, launchGap } from './launch-gap.ts';
import { chanceOf, intervalAround } from './welch.ts';

/** Five launches of five values each. */
const launchesOf = (values: readonly number[]) =>
  [0, 5, 10, 15, 20].map((start) => values.slice(start, start + 5));
const [of, against] = [launchesOf(normalish), launchesOf(skewed)];

function found(kind: 'paired by launch' | 'by launch', one = of, other = against) {
  const gap = launchGap({ kind, of: one, against: other });
  if (!gap?.logRatio) throw new Error('five launches of positive medians have a gap');
  return { ...gap, logRatio: gap.logRatio };
}

// SciPy 1.17 and NumPy: stats.ttest_rel and stats.ttest_ind(equal_var=False) of the logarithms of the launches' medians.
test('paired by launch: agrees with SciPy', () => {
  const { logRatio, difference } = found('paired by launch');
  expect(chanceOf(logRatio)).toBeCloseTo(0.8480754829985926, 10);
  expect(logRatio.value).toBeCloseTo(0.0095826764974829, 12);
  const ratio = intervalAround(logRatio, 0.95);
  expect(Math.expm1(ratio.low)).toBeCloseTo(-0.11363908390793435, 10);
  expect(Math.expm1(ratio.high)).toBeCloseTo(0.15003963823619793, 10);
  const ms = intervalAround(difference, 0.95);
  expect(difference.value).toBeCloseTo(0.9412479006999348, 10);
  expect(ms.low).toBeCloseTo(-11.80254801126917, 9);
  expect(ms.high).toBeCloseTo(13.68504381266904, 9);
});

test('separate launches: agrees with SciPy', () => {
  const { logRatio } = found('by launch');
  expect(logRatio.freedom).toBeCloseTo(4.948775830878069, 10);
  expect(chanceOf(logRatio)).toBeCloseTo(0.843554733668448, 10);
  const ratio = intervalAround(logRatio, 0.95);
  expect(Math.expm1(ratio.low)).toBeCloseTo(-0.10348808154511403, 10);
  expect(Math.expm1(ratio.high)).toBeCloseTo(0.1370179986519829, 10);
});

test('launch effects on both groups cancel', () => {
  const faster = of.map((values, launch) => values.map((value) => value * (launch + 1)));
  const slower = against.map((values, launch) => values.map((value) => value * (launch + 1)));
  expect(found('paired by launch', faster, slower).logRatio.error).toBeCloseTo(
    found('paired by launch').logRatio.error,
    12,
  );
});

test('a launch with a median of 0 has no logarithm: the difference is known, the ratio is not', () => {
  const gap = launchGap({ kind: 'paired by launch', of: [[0], [1]], against: [[1], [1]] });
  expect(gap).toMatchObject({ difference: { value: -0.5, error: 0.5 }, logRatio: null });
});

test('one launch or a value that is not finite gives null', () => {
  expect(launchGap({ kind: 'by launch', of: of.slice(0, 1), against })).toBeNull();
  expect(launchDifference('paired by launch', [1, Number.NaN], [1, 2])).toBeNull();
});
