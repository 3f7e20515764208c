import { expect, test } from 'vitest';
import { type Difference, narrow } from './narrowing.ts';

/** Steps that differ from index `first` on; comparisons with step `openAt` cannot be decided. */
function steps(first: number, openAt = -1) {
  const looks: string[] = [];
  const look = async (against: number, of: number): Promise<Difference> => {
    looks.push(`${against}-${of}`);
    if (of === openAt) return 'open';
    return against < first && of >= first ? 'differs' : 'alike';
  };
  return { looks, look };
}

test.each(Array.from({ length: 19 }, (_, index) => index + 1))(
  'of 20 steps, the change at step %i is found in at most 7 comparisons',
  async (first) => {
    const { looks, look } = steps(first);
    expect(await narrow(20, look)).toEqual({ outcome: 'found', from: first - 1, to: first });
    expect(looks.length).toBeLessThanOrEqual(7);
    expect(looks[0]).toBe('0-19');
    expect(looks.at(-1)).toBe(`${first - 1}-${first}`);
  },
);

test('two steps take one comparison', async () => {
  const { looks, look } = steps(1);
  expect(await narrow(2, look)).toEqual({ outcome: 'found', from: 0, to: 1 });
  expect(looks).toEqual(['0-1']);
});

test('equal ends, and steps that stay undecided, are reported', async () => {
  expect(await narrow(9, steps(20).look)).toEqual({ outcome: 'ends alike' });
  expect(await narrow(9, steps(5, 8).look)).toEqual({ outcome: 'ends open' });
  expect(await narrow(9, steps(5, 6).look)).toEqual({ outcome: 'open', from: 4, to: 8 });
});

test('adjacent steps without a proven difference are no result', async () => {
  // Each step is slightly slower: none differs from the one before.
  const look = async (against: number, of: number): Promise<Difference> =>
    of - against >= 3 ? 'differs' : 'alike';
  expect(await narrow(9, look)).toEqual({ outcome: 'open', from: 2, to: 3 });
});
