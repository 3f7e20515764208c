import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earlierShare } from './order.ts';

test('1 when all evicted entries come first, 0 when they come last, 0.5 without an order', () => {
  expect(earlierShare([1, 2], [3, 4])).toBe(1);
  expect(earlierShare([3, 4], [1, 2])).toBe(0);
  expect(earlierShare([5, 5], [5])).toBe(0.5);
  expect(earlierShare([1, 4], [2, 3])).toBe(0.5);
  expect(earlierShare([], [1])).toBeNull();
  expect(earlierShare([1], [])).toBeNull();
});

test('equals the share of pairs, counted one by one', () => {
  const values = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(values, values, (went, stayed) => {
      const pairs = went.flatMap((one) => stayed.map((other) => [one, other] as const));
      const ordered = pairs.reduce(
        (sum, [one, other]) => sum + (one < other ? 1 : one === other ? 0.5 : 0),
        0,
      );
      expect(earlierShare(went, stayed)).toBeCloseTo(ordered / pairs.length, 12);
    }),
  );
});
