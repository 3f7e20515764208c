import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairStarts } from './pairing.ts';

test.each<[string, number[], number[], (number | null)[]]>([
  ['nothing', [], [], []],
  ['one to one', [100], [103], [0]],
  ['in order when the counts agree, however close', [100, 101, 102], [102, 103, 104], [0, 1, 2]],
  ['a memory hit that the other did not see stays alone', [100, 500, 900], [503], [1]],
  ['more on the other side', [503], [100, 500, 900], [null, 0, null]],
  ['too far apart', [100], [400], [null]],
  ['ambiguous: two uses, one request between them', [100, 104], [102], [null]],
  ['none at all on one side', [100, 200], [], []],
])('%s', (_, starts, others, pairs) => {
  expect(pairStarts(starts, others)).toEqual(pairs);
});

/** Every way to choose partners in order, tried out. */
function leastTotal(starts: number[], others: number[]): number {
  const [first, ...rest] = others;
  if (first === undefined) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, start] of starts.entries()) {
    const total = Math.abs(start - first) + leastTotal(starts.slice(index + 1), rest);
    least = Math.min(least, total);
  }
  return least;
}

const times = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 6 })
  .map((list) => list.map((step) => step * 6).toSorted((left, right) => left - right));

test('pairs ascend, are one to one, and where all are paired their total distance is the least', () => {
  fc.assert(
    fc.property(times, times, (starts, others) => {
      const pairs = pairStarts(starts, others);
      expect(pairs).toHaveLength(others.length);
      const taken = pairs.filter((index) => index !== null);
      expect(taken).toEqual([...new Set(taken)].toSorted((left, right) => left - right));
      if (pairs.includes(null) || starts.length < others.length) return;
      const total = pairs.reduce<number>(
        (sum, index, place) => sum + Math.abs((starts[index ?? 0] ?? 0) - (others[place] ?? 0)),
        0,
      );
      if (starts.length > others.length) expect(total).toBe(leastTotal(starts, others));
    }),
  );
});
