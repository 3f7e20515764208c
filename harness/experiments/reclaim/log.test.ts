import { evictionPolicies } from '@cachescope/origin/store/eviction-policies.ts';
import { LimitedStore } from '@cachescope/origin/store/limited-store.ts';
import { expect, test } from 'vitest';
import { ReclaimLog } from './log.ts';

function watchedStore(policy: 'lrw' | 'lru', reclaimRatio: number) {
  const log = new ReclaimLog();
  let now = 0;
  const store = new LimitedStore<number>({
    limit: { entries: 100, reclaimRatio },
    policy: evictionPolicies[policy](),
    reclaimed: (reclaim) => log.add(reclaim, store.times()),
    now: () => now++,
  });
  return { log, store, take: () => log.take(store) };
}

test('the eviction order is visible from outside: by write, or by use', () => {
  for (const policy of ['lrw', 'lru'] as const) {
    const { store, take } = watchedStore(policy, 0.5);
    for (let key = 0; key < 100; key++) store.set(`${key}`, key, 10);
    // Read from the last to the first: the order of use is the reverse of the order of writing.
    for (let key = 99; key >= 0; key--) store.get(`${key}`);
    store.set('one more', 1, 10);
    const [reclaim] = take().reclaims;
    expect(reclaim).toMatchObject({
      evicted: 51,
      evictedBytes: 510,
      cause: 'entries',
      how: 'reported',
      bySize: 0.5,
    });
    expect([reclaim?.byWrite, reclaim?.byUse]).toEqual(policy === 'lrw' ? [1, 0] : [0, 1]);
    expect(reclaim?.examples).toHaveLength(8);
    expect(reclaim?.examples[0]).toMatchObject({ key: policy === 'lrw' ? '0' : '99', uses: 1 });
  }
});

test('a sample reports the maximum since the previous sample, and each eviction pass once', () => {
  const { store, take } = watchedStore('lrw', 0.3);
  for (let key = 0; key < 101; key++) store.set(`${key}`, key, 10);
  expect(take()).toMatchObject({ entries: 70, mostEntries: 100, mostBytes: 1000, overLimitMs: 0 });
  expect(take()).toMatchObject({ entries: 70, mostEntries: 70, reclaims: [] });
});

test('a store that evicts at each write reports a few passes one by one, and adds the others to the last', () => {
  const { store, take } = watchedStore('lrw', 0);
  for (let key = 0; key < 150; key++) store.set(`${key}`, key, 10);
  const { reclaims } = take();
  expect(reclaims.map(({ evicted }) => evicted)).toEqual([1, 1, 48]);
  expect(reclaims.map(({ times = 1 }) => times)).toEqual([1, 1, 48]);
  const [one, , several] = reclaims;
  // Each reading of the clock advances it by one, so each pass takes the same time.
  expect(several).toMatchObject({ evictedBytes: 480, longestMs: one?.durationMs });
  expect(several?.durationMs).toBe(48 * (one?.durationMs ?? 0));
  expect(one).not.toHaveProperty('longestMs');
});
