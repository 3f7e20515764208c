import { expect, test } from 'vitest';
import { digamma, trigamma, trigammaInverse } from './gamma.ts';

// SciPy 1.17: special.digamma, special.polygamma(1, x).
test.each([
  [0.5, -1.9635100260214235, 4.93480220054468],
  [1, -0.5772156649015329, 1.6449340668482266],
  [2.5, 0.7031566406452432, 0.4903577561002349],
  [30, 3.384438132685525, 0.033895060357739946],
])('gamma of %d agrees with SciPy', (x, first, second) => {
  expect(digamma(x)).toBeCloseTo(first, 12);
  expect(trigamma(x)).toBeCloseTo(second, 12);
  expect(trigammaInverse(second)).toBeCloseTo(x, 9);
});
