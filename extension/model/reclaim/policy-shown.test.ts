import { expect, test } from 'vitest';
import type { EvictionPass } from './eviction-pass.ts';
import { type EvictionOrder, policyShown } from './policy-shown.ts';

type Orders = Record<EvictionOrder, number | null>;

function pass(orders: Orders): EvictionPass {
  return {
    kind: 'reclaim',
    sequence: 0,
    atMs: 0,
    durationMs: null,
    how: 'observed',
    cause: 'bytes',
    before: { entries: 10, bytes: 10 },
    after: { entries: 5, bytes: 5 },
    evicted: 5,
    evictedBytes: 5,
    examples: [],
    ...orders,
  };
}

const byUse = { byWrite: 0.7, byUse: 0.99, bySize: 0.5, byUseAndSize: 0.8 };

test('the order that explains most evictions is reported, with the shares of the others', () => {
  const shown = policyShown([pass(byUse), pass({ ...byUse, byUse: 0.97 }), pass(byUse)]);
  expect(shown.orders).toEqual(byUse);
  expect(shown.reclaims).toBe(3);
  expect(shown.finding).toBe(
    'The evicted entries were those used longest ago: 99 % of all pairs of an evicted and a kept entry are in that order (written longest ago 70 %, largest 50 %, time since use × size 80 %).',
  );
});

test('orders that a load does not distinguish are both reported', () => {
  const { finding } = policyShown([pass({ ...byUse, byUse: 1, byWrite: 1, bySize: null })]);
  expect(finding).toMatch(
    /^The evicted entries were those written longest ago, or used longest ago: 100 %/,
  );
  expect(finding).toMatch(/This load does not distinguish these\.$/);
  expect(finding).not.toContain('largest');
});

test('when no order explains the evictions, none is reported as the policy', () => {
  const half = { byWrite: 0.5, byUse: 0.6, bySize: 0.5, byUseAndSize: 0.55 };
  expect(policyShown([pass(half)]).finding).toBe(
    'No order explains which entries were evicted: the best, used longest ago, explains 60 % of the pairs.',
  );
});

test('without an eviction pass with known data, nothing is claimed', () => {
  const unknown = { byWrite: null, byUse: null, bySize: null, byUseAndSize: null };
  for (const passes of [[], [pass(unknown)]])
    expect(policyShown(passes)).toMatchObject({
      orders: unknown,
      reclaims: 0,
      finding: expect.stringContaining('No eviction pass has complete data'),
    });
});
