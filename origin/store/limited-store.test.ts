import { expect, test } from 'vitest';
import { LimitedStore, type LimitedStoreOptions, type Reclaim } from './limited-store.ts';
import { leastRecentlyWritten } from './lrw.ts';

function storeOf(limit: NonNullable<LimitedStoreOptions['limit']>) {
  const reclaims: Reclaim[] = [];
  let now = 0;
  const store = new LimitedStore<string>({
    limit,
    policy: leastRecentlyWritten(),
    reclaimed: (reclaim) => reclaims.push(reclaim),
    now: () => now++,
  });
  return { store, reclaims };
}

test('evicts the reclaim ratio of its limit before it would exceed the limit, least recently written first', () => {
  const { store, reclaims } = storeOf({ entries: 10, reclaimRatio: 0.3 });
  let most = 0;
  for (let number = 0; number < 100; number++) {
    store.set(`${number}`, 'x', 5);
    most = Math.max(most, store.entries);
  }
  expect(most).toBe(10);
  const [first] = reclaims;
  expect(first).toMatchObject({
    cause: 'entries',
    before: { entries: 10, bytes: 50 },
    after: { entries: 6 },
  });
  expect(first?.evicted.map(({ key }) => key)).toEqual(['0', '1', '2', '3']);
  // The first pass is at write 11 and evicts 4 entries; from then on every fourth write of the 100 starts a pass.
  expect(reclaims).toHaveLength(23);
  expect(store.bytes).toBe(5 * store.entries);
});

test('a byte limit counts the stored bytes, and a value larger than the limit is not stored', () => {
  const { store, reclaims } = storeOf({ bytes: 100 });
  store.set('a', 'a', 60);
  store.set('b', 'b', 40);
  expect(store.bytes).toBe(100);
  store.set('c', 'c', 1);
  expect(reclaims.map(({ cause, evicted }) => [cause, evicted.map(({ key }) => key)])).toEqual([
    ['bytes', ['a']],
  ]);
  expect(store.set('d', 'd', 101)).toBe(false);
  expect(store.get('d')).toBeUndefined();
  expect([store.get('b'), store.get('c'), store.bytes]).toEqual(['b', 'c', 41]);
});

test('a replaced value no longer counts, also when making room evicts it', () => {
  const { store } = storeOf({ bytes: 100, entries: 2 });
  store.set('a', 'old', 50);
  store.set('b', 'b', 50);
  store.set('a', 'new', 60);
  expect([store.get('a'), store.get('b'), store.bytes, store.entries]).toEqual([
    'new',
    undefined,
    60,
    1,
  ]);
  store.set('a', 'newer', 10);
  store.set('c', 'c', 1);
  expect([store.get('a'), store.bytes, store.entries]).toEqual(['newer', 11, 2]);
  // After another write, a is behind c.
  store.set('a', 'newest', 10);
  store.set('d', 'd', 1);
  expect([store.get('c'), store.get('a')]).toEqual([undefined, 'newest']);
  store.delete('d');
  expect(store.delete('a')).toBe(true);
  expect(store.delete('a')).toBe(false);
  expect([store.bytes, store.entries]).toEqual([0, 0]);
});

test('records when each entry was written and last used, and how often it was read', () => {
  const { store } = storeOf({});
  store.set('a', 'a', 1);
  store.get('a');
  store.get('a');
  expect([...store.times()]).toMatchObject([{ bytes: 1, writtenAt: 0, usedAt: 2, reads: 2 }]);
});
