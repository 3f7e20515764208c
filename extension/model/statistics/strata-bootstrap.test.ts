import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { differenceOfStrata, levelOfStrata } from './strata-bootstrap.ts';
import { normalVariate } from './resampled-median.ts';

const draws = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);

test('intervals contain the true difference and ratio in about 95 % of trials', () => {
  const random = createRandom(21);
  const normal = normalVariate(random);
  const trials = 400;
  let [difference, ratio] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const of = draws(15, () => 22 + 3 * normal());
    const against = draws(10, () => 20 + normal());
    const intervals = differenceOfStrata([of], [against], { random, resamples: 300 });
    if (!intervals?.relative) continue;
    if (intervals.difference.low <= 2 && 2 <= intervals.difference.high) difference++;
    if (intervals.relative.low <= 0.1 && 0.1 <= intervals.relative.high) ratio++;
  }
  // Three standard errors of a share of 0.95 in 400 trials are 0.033.
  for (const held of [difference, ratio]) {
    expect(held / trials).toBeGreaterThan(0.917);
    expect(held / trials).toBeLessThan(0.983);
  }
});

test.each([5, 10])(
  'two launches of %i: scope of these launches, with any distance between them',
  (size) => {
    const random = createRandom(2);
    const normal = normalVariate(random);
    const trials = 400;
    let [gap, level] = [0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const levels = [100 + 10 * normal(), 100 + 10 * normal()];
      const group = () => levels.map((at) => draws(size, () => at * Math.exp(0.05 * normal())));
      const options = { random, resamples: 300 };
      const of = group();
      const { relative } = differenceOfStrata(of, group(), options) ?? {};
      if (relative && relative.low <= 0 && 0 <= relative.high) gap++;
      const truth = Math.sqrt((levels[0] ?? 0) * (levels[1] ?? 0));
      const interval = levelOfStrata(of, options);
      if (interval && interval.low <= truth && truth <= interval.high) level++;
    }
    // Three standard errors of a share of 0.95 in 400 trials are 0.033.
    for (const held of [gap, level]) expect(held / trials).toBeGreaterThan(0.917);
  },
);

test('a launch without scatter changes nothing, whatever its number of values', () => {
  const values = [10, 10.5, 11, 12, 40, 41, 73, 130, 200];
  const intervalWith = (count: number) => {
    const options = { random: createRandom(3), resamples: 10_000 };
    return levelOfStrata([values, draws(count, () => 20)], options);
  };
  expect(intervalWith(99)).toEqual(intervalWith(1));
});

test('a baseline of 0 has no ratio; equal values have intervals of width 0', () => {
  const options = { random: createRandom(1), resamples: 100 };
  const same = draws(8, () => 4);
  expect(differenceOfStrata([same], [draws(8, () => 0)], options)).toEqual({
    difference: { low: 4, high: 4 },
    relative: null,
  });
  expect(differenceOfStrata([same], [same], options)).toEqual({
    difference: { low: 0, high: 0 },
    relative: { low: 0, high: 0 },
  });
});

test('an empty group and a value that is not finite give null', () => {
  const options = { random: createRandom(1) };
  expect(differenceOfStrata([[]], [[1]], options)).toBeNull();
  expect(differenceOfStrata([[1]], [[Number.NaN]], options)).toBeNull();
});
