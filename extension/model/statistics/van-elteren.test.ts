import { expect, test } from 'vitest';
import { normalish, skewed } from '../fixtures/two-groups.ts';
import { mannWhitney } from './mann-whitney.ts';
import { vanElteren } from './van-elteren.ts';

test('agrees with a computation in SciPy 1.17; one launch gives Mann-Whitney', () => {
  // stats.mannwhitneyu of each launch, summed with weights 1 / 21, over the tie-corrected variance.
  const [of, against] = [normalish.slice(0, 20), skewed.slice(0, 20)];
  const halves = (values: readonly number[]) => [values.slice(0, 10), values.slice(10)];
  expect(vanElteren(halves(of), halves(against))).toBeCloseTo(0.6689292682527673, 10);
  expect(vanElteren([of], [against])).toBe(mannWhitney(of, against)?.p);
});

test('launch effects on both groups cancel', () => {
  const of = [1, 3, 5, 7, 9];
  const against = [2, 4, 6, 8, 10];
  const moved = (values: readonly number[]) => values.map((value) => value + 1000);
  expect(vanElteren([of, moved(of)], [against, moved(against)])).toBe(
    vanElteren([of, of], [against, against]),
  );
});

test('equal values give p = 1; an empty launch gives null', () => {
  expect(vanElteren([[5], [5]], [[5], [5]])).toBe(1);
  expect(vanElteren([[5], []], [[5], [5]])).toBeNull();
});
