import { expect, test } from 'vitest';
import { changePoints } from './change-points.ts';
import { createRandom } from '../statistics/random.ts';

/** Normal noise (Box-Muller) around levels, one level per segment of points. */
function series(levels: readonly (readonly [count: number, level: number])[], seed: number) {
  const random = createRandom(seed);
  return levels.flatMap(([count, level]) =>
    Array.from({ length: count }, () => [
      level + Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    ]),
  );
}

test('a step is found at its position', () => {
  expect(
    changePoints(
      series(
        [
          [12, 0],
          [9, 6],
        ],
        3,
      ),
    ).map(({ at }) => at),
  ).toEqual([12]);
});

test('two steps are found, also a step up followed by a step down', () => {
  expect(
    changePoints(
      series(
        [
          [12, 0],
          [10, 8],
          [12, 0],
        ],
        5,
      ),
    ).map(({ at }) => at),
  ).toEqual([12, 22]);
});

test('neither a single outlier nor a constant series has a change', () => {
  expect(
    changePoints(
      series(
        [
          [10, 0],
          [1, 50],
          [10, 0],
        ],
        7,
      ),
    ),
  ).toEqual([]);
  expect(changePoints(Array.from({ length: 20 }, () => [3]))).toEqual([]);
});

test('seven points are too few for a change', () => {
  expect(changePoints([[0], [0.1], [0.2], [0], [9], [9.1], [9]])).toEqual([]);
  expect(changePoints([[0], [0.1], [0.2], [0], [9], [9.1], [9.2], [9]])).toEqual([
    { at: 4, p: expect.closeTo(2 / 70, 1) },
  ]);
});

test('about 5 of 100 series without a change have a false positive', () => {
  const rounds = Array.from({ length: 100 }, (_, round) => series([[14, 0]], 1000 + round));
  const wrong = rounds.filter((each) => changePoints(each).length > 0).length;
  // Binomial, 100 trials at 5 %: the probability of more than 13 is below 1 in 1,000.
  expect(wrong).toBeLessThanOrEqual(13);
});
