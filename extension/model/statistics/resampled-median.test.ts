import { createRandom } from '@cachescope/model/statistics/random.ts';
import { median } from './quantile.ts';
import { expect, test } from 'vitest';
import { medianResampler, normalVariate } from './resampled-median.ts';

/** The distribution of the resampled median, by enumerating all resamples. */
function everyResample(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  const all = values.length ** values.length;
  for (let number = 0; number < all; number++) {
    const drawn = values.map((_, place) => {
      const digit = Math.floor(number / values.length ** place) % values.length;
      return values[digit] ?? Number.NaN;
    });
    const middle = median(drawn) ?? Number.NaN;
    counts.set(middle, (counts.get(middle) ?? 0) + 1 / all);
  }
  return counts;
}

test.each([[[1, 2, 4, 8, 16]], [[1, 2, 4, 8]], [[1, 1, 3, 9]], [[5, 7]], [[6]]])(
  'draws the medians of %j with the probabilities of all resamples',
  (values) => {
    const draws = 30_000;
    const draw = medianResampler(values, createRandom(4));
    const counts = new Map<number, number>();
    for (let count = 0; count < draws; count++) {
      const value = draw();
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const law = everyResample(values);
    for (const [value, chance] of law) {
      const error = 4 * Math.sqrt((chance * (1 - chance)) / draws) + 1e-12;
      expect(Math.abs((counts.get(value) ?? 0) / draws - chance)).toBeLessThanOrEqual(error);
    }
    expect([...counts.keys()].every((value) => law.has(value))).toBe(true);
  },
);

test('without values the result is NaN', () => {
  expect(medianResampler([], createRandom(1))()).toBeNaN();
});

test('normal numbers have mean 0, variance 1 and the expected share beyond 1.96', () => {
  const normal = normalVariate(createRandom(9));
  const values = Array.from({ length: 40_000 }, normal);
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const square = values.reduce((total, value) => total + value * value, 0) / values.length;
  const beyond = values.filter((value) => Math.abs(value) > 1.96).length / values.length;
  expect(Math.abs(mean)).toBeLessThan(0.02);
  expect(Math.abs(square - 1)).toBeLessThan(0.03);
  expect(Math.abs(beyond - 0.05)).toBeLessThan(0.005);
});
