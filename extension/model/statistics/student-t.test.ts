import { expect, test } from 'vitest';
import { incompleteBeta, studentCritical, studentTwoSided } from './student-t.ts';

test('p-values agree with SciPy 1.17', () => {
  expect(studentTwoSided(1, 1)).toBeCloseTo(0.5, 13);
  expect(studentTwoSided(-2.5, 3.7)).toBeCloseTo(0.07182202291182678, 13);
  expect(studentTwoSided(4, 30)).toBeCloseTo(0.0003818456360837564, 13);
  expect(studentTwoSided(1.2, 500)).toBeCloseTo(0.23070761116864938, 12);
  expect(studentTwoSided(8, 2)).toBeCloseTo(0.01526807216533814, 13);
});

test('critical values agree with SciPy 1.17 and with the printed table', () => {
  expect(studentCritical(0.99, 1)).toBeCloseTo(63.656741162871526, 9);
  expect(studentCritical(0.99, 2)).toBeCloseTo(9.924843200918287, 10);
  expect(studentCritical(0.99, 4.5)).toBeCloseTo(4.272823993011293, 10);
  expect(studentCritical(0.99, 60)).toBeCloseTo(2.6602830288550368, 10);
  expect(studentCritical(0.95, 20)).toBeCloseTo(2.086, 3);
  expect(studentCritical(0.95, 1e7)).toBeCloseTo(1.96, 3);
});

test('undefined results are NaN; an infinite t has p = 0', () => {
  expect(studentTwoSided(1, 0)).toBeNaN();
  expect(studentTwoSided(Number.NaN, 3)).toBeNaN();
  expect(studentCritical(0.95, 0)).toBeNaN();
  expect(studentCritical(1, 5)).toBeNaN();
  expect(studentTwoSided(Infinity, 3)).toBe(0);
  expect(studentTwoSided(0, 3)).toBe(1);
});

test('the incomplete beta function is a binomial tail at integers', () => {
  // P(at least 3 heads in 5 tosses) = 16 / 32.
  expect(incompleteBeta(0.5, 3, 3)).toBeCloseTo(0.5, 14);
  // P(at least 1 of 4 at 0.2) = 1 - 0.8^4.
  expect(incompleteBeta(0.2, 1, 4)).toBeCloseTo(1 - 0.8 ** 4, 14);
  expect([incompleteBeta(0, 2, 2), incompleteBeta(1, 2, 2)]).toEqual([0, 1]);
});
