import { createRandom } from '@cachescope/model/random.ts';
import { expect, test } from 'vitest';
import { designOf } from './design.ts';
import { differenceOfLaunches, differenceOfValues } from './median-difference.ts';
import type { Reading } from './readings.ts';
import { normalVariate } from './resampled-median.ts';

const draws = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);

test('intervals hold the true difference and ratio in about 95 % of trials', () => {
  const random = createRandom(21);
  const normal = normalVariate(random);
  const trials = 400;
  let [difference, ratio] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const of = draws(15, () => 22 + 3 * normal());
    const against = draws(10, () => 20 + normal());
    const intervals = differenceOfValues(of, against, { random, resamples: 300 });
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

test('groups of the same launches are drawn together: what a launch does to both cancels', () => {
  const normal = normalVariate(createRandom(2));
  const levels = draws(12, () => 50 * normal());
  const group = (shift: number, first: number): Reading[] =>
    levels.flatMap((level, launch) =>
      draws(5, () => 1000 + level + shift + normal()).map((value) => ({
        value,
        launch: first + launch,
      })),
    );
  const width = (first: number): number => {
    const design = designOf(group(3, first), group(0, 0));
    const { difference } = differenceOfLaunches(design, {
      random: createRandom(4),
      resamples: 1000,
    });
    return difference.high - difference.low;
  };
  expect(width(0)).toBeLessThan(width(100) / 2);
});

test('a baseline of 0 has no ratio; equal values have intervals of no width', () => {
  const options = { random: createRandom(1), resamples: 100 };
  const same = draws(8, () => 4);
  expect(
    differenceOfValues(
      same,
      draws(8, () => 0),
      options,
    ),
  ).toEqual({
    difference: { low: 4, high: 4 },
    relative: null,
  });
  expect(differenceOfValues(same, same, options)).toEqual({
    difference: { low: 0, high: 0 },
    relative: { low: 0, high: 0 },
  });
});

test('an empty group and a value that is none give null', () => {
  const options = { random: createRandom(1) };
  expect(differenceOfValues([], [1], options)).toBeNull();
  expect(differenceOfValues([1], [Number.NaN], options)).toBeNull();
});
