import { expect, test } from 'vitest';
import { moreReadings } from './more-readings.ts';

test('half the width needs four times the readings', () => {
  const more = moreReadings({ readings: 50, launches: null, halfWidth: 2 }, 1);
  expect(more).toEqual({ readings: 150, launches: null, atLeast: false });
});

test("the same for launches, but fewer as Student's t decreases: with 2 launches, one more halves the width", () => {
  // Two launches: 12.706 / sqrt(2) = 8.98; three: 4.303 / sqrt(3) = 2.48; four: 3.182 / 2 = 1.59.
  expect(moreReadings({ readings: 20, launches: 2, halfWidth: 8.98 }, 2.5)).toEqual({
    readings: 10,
    launches: 1,
    atLeast: false,
  });
  expect(moreReadings({ readings: 20, launches: 2, halfWidth: 8.98 }, 1.6)).toMatchObject({
    launches: 2,
  });
});

test('an interval that is narrow enough needs no more readings', () => {
  expect(moreReadings({ readings: 50, launches: null, halfWidth: 1 }, 1)).toBeNull();
  expect(moreReadings({ readings: 50, launches: null, halfWidth: 0 }, 0)).toBeNull();
});

test('an estimate beyond the limit is cut off, and marked', () => {
  for (const wanted of [0.001, 0, -1]) {
    expect(moreReadings({ readings: 50, launches: null, halfWidth: 1 }, wanted)).toEqual({
      readings: 950,
      launches: null,
      atLeast: true,
    });
  }
});
