import { expect, test } from 'vitest';
import { moreToSettle } from './more-readings.ts';

const question = { estimate: 0, margin: 2, alpha: 0.05 };

test('equal groups need an interval a few times as narrow as the margin', () => {
  const more = moreToSettle({ readings: 50, launches: null, halfWidth: 4 }, question);
  expect(more).toMatchObject({ launches: null, atLeast: false });
  // The half width decreases with the square root: 16 times the readings make it half the margin.
  expect(more.readings).toBeGreaterThan(150);
  expect(more.readings).toBeLessThan(750);
});

test('readings that share launches are spread over further launches', () => {
  const more = moreToSettle({ readings: 20, launches: 4, halfWidth: 4 }, question);
  expect(more.launches).toBeGreaterThan(4);
  expect(more.readings).toBe(5 * (more.launches ?? 0));
});

test('an estimate beyond the limit is cut off, and marked', () => {
  const progress = { readings: 50, launches: null, halfWidth: 1 };
  expect(moreToSettle(progress, { ...question, margin: 0.001 })).toEqual({
    readings: 950,
    launches: null,
    atLeast: true,
  });
});
