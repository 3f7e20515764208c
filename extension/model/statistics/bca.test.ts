import { createRandom } from '@cachescope/model/statistics/random.ts';
import { mean } from 'simple-statistics';
import { expect, test } from 'vitest';
import { bcaInterval } from './bca.ts';
import { normalish, skewed } from '../fixtures/two-groups.ts';

function resampledMean(values: readonly number[], random: () => number): number {
  let total = 0;
  for (let draw = 0; draw < values.length; draw++) {
    total += values[Math.floor(random() * values.length)] ?? Number.NaN;
  }
  return total / values.length;
}

const leftOutMeans = (values: readonly number[]): number[] =>
  values.map((_, left) => mean(values.toSpliced(left, 1)));

test('the interval of a mean agrees with SciPy 1.17 (400,000 resamples)', () => {
  const random = createRandom(1);
  const distribution = Float64Array.from({ length: 40_000 }, () => resampledMean(skewed, random));
  const bootstrap = { estimate: mean(skewed), distribution, jackknife: [leftOutMeans(skewed)] };
  const { low, high } = bcaInterval(bootstrap, 0.95);
  expect(Math.abs(low - 91.196)).toBeLessThan(0.2);
  expect(Math.abs(high - 104.216)).toBeLessThan(0.2);
});

test('the interval of a difference of two means agrees with SciPy 1.17', () => {
  const random = createRandom(2);
  const [a, b] = [mean(normalish), mean(skewed)];
  const distribution = Float64Array.from(
    { length: 40_000 },
    () => resampledMean(normalish, random) - resampledMean(skewed, random),
  );
  const jackknife = [
    leftOutMeans(normalish).map((value) => value - b),
    leftOutMeans(skewed).map((value) => a - value),
  ];
  const { low, high } = bcaInterval({ estimate: a - b, distribution, jackknife }, 0.95);
  expect(Math.abs(low - -7.0033)).toBeLessThan(0.25);
  expect(Math.abs(high - 7.3987)).toBeLessThan(0.25);
});

test('without bias and acceleration, the ends are the plain percentiles', () => {
  const distribution = Float64Array.from({ length: 1001 }, (_, index) => index);
  const { low, high } = bcaInterval({ estimate: 500, distribution, jackknife: [[1, 2, 3]] }, 0.95);
  expect(low).toBeCloseTo(25, 6);
  expect(high).toBeCloseTo(975, 6);
});

test('a distribution on one side of the estimate gives its percentiles, equal values an interval of width 0', () => {
  const distribution = Float64Array.from({ length: 1001 }, (_, index) => index);
  const { low, high } = bcaInterval({ estimate: -5, distribution, jackknife: [] }, 0.95);
  expect(low).toBeCloseTo(25, 9);
  expect(high).toBeCloseTo(975, 9);
  const flat = new Float64Array(100).fill(4);
  expect(bcaInterval({ estimate: 4, distribution: flat, jackknife: [[4, 4]] }, 0.95)).toEqual({
    low: 4,
    high: 4,
  });
});
