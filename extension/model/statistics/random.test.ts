import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

function take(seed: number): number[] {
  return Array.from({ length: 5 }, createRandom(seed));
}

test('the same seed gives the same numbers, another seed different ones', () => {
  expect(take(42)).toEqual(take(42));
  expect(take(42)).not.toEqual(take(43));
});

test('numbers are in [0, 1) and uniform', () => {
  const random = createRandom(1);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let count = 0; count < 100_000; count++) {
    const tenth = Math.floor(random() * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(tenths).toHaveLength(10);
  expect(Math.min(...tenths)).toBeGreaterThan(9_600);
  expect(Math.max(...tenths)).toBeLessThan(10_400);
});
