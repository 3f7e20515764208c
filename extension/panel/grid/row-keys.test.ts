import { expect, test } from 'vitest';
import { recycledKeys } from './row-keys.ts';

test('a row that stays in view keeps its key, and a new row takes the key of one that left', () => {
  const keys = recycledKeys();
  expect(keys([0, 1, 2])).toEqual([0, 1, 2]);
  expect(keys([1, 2, 3])).toEqual([1, 2, 0]);
  expect(new Set(keys([7, 8, 9]))).toEqual(new Set([0, 1, 2]));
  expect(keys([9, 8, 7])).toEqual(keys([7, 8, 9]).toReversed());
});

test('keys are distinct while the view shrinks, grows and jumps', () => {
  const keys = recycledKeys();
  for (const [from, count] of [
    [0, 30],
    [12, 40],
    [500, 8],
    [490, 40],
    [0, 0],
    [3, 5],
  ] as const) {
    const given = keys(Array.from({ length: count }, (_, offset) => from + offset));
    expect(new Set(given).size).toBe(count);
  }
});
