import { createRandom } from '@cachescope/model/statistics/random.ts';
import { expect, test } from 'vitest';
import { orderStatisticInterval } from './order-statistics.ts';

const oneTo = (size: number): number[] => Array.from({ length: size }, (_, index) => index + 1);

test('is between the two intervals that the binomial table gives for 10 values', () => {
  // The 2nd to the 9th cover 97.85 %, the 3rd to the 8th 89.06 % (Conover 1999, table A3): the 95 % interval is between
  // them.
  const interval = orderStatisticInterval(oneTo(10));
  const linear = (0.978515625 - 0.95) / (0.978515625 - 0.890625);
  const share = (8 * linear) / (2 + 6 * linear);
  expect(interval?.low).toBeCloseTo(2 + share, 10);
  expect(interval?.high).toBeCloseTo(9 - share, 10);
});

test('five values are too few for 95 % and enough for 90 %', () => {
  expect(orderStatisticInterval(oneTo(5))).toBeNull();
  expect(orderStatisticInterval(oneTo(5), 0.9)).not.toBeNull();
  expect(orderStatisticInterval(oneTo(6))).not.toBeNull();
});

test('bad input gives null, equal values an interval of width 0', () => {
  expect(orderStatisticInterval([])).toBeNull();
  expect(orderStatisticInterval([...oneTo(9), Number.NaN])).toBeNull();
  expect(orderStatisticInterval([3, 3, 3, 3, 3, 3, 3])).toEqual({ low: 3, high: 3 });
});

test('covers the median of a skewed distribution in 95 % of trials, at even and odd sizes', () => {
  const random = createRandom(11);
  for (const size of [6, 7, 20]) {
    let held = 0;
    const trials = 1500;
    for (let trial = 0; trial < trials; trial++) {
      const interval = orderStatisticInterval(
        Array.from({ length: size }, () => -Math.log(1 - random())),
      );
      if (interval && interval.low <= Math.LN2 && Math.LN2 <= interval.high) held++;
    }
    // Three standard errors of a share of 0.95 in 1500 trials are 0.017.
    expect(held / trials).toBeGreaterThan(0.933);
    expect(held / trials).toBeLessThan(0.967);
  }
});
