import { createRandom } from '@cachescope/model/statistics/random.ts';
import { reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import { zipfSampler } from '@cachescope/model/reclaim/zipf.ts';
import fc from 'fast-check';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { evictionPolicies } from './eviction-policies.ts';
import type { EvictionPolicy } from './eviction-policy.ts';
import { LimitedStore } from './limited-store.ts';

/** Replays writes and reads, for example `wa rb`; returns all keys in the order of their eviction. */
function order(policy: EvictionPolicy, trace: string): string {
  for (const step of trace.split(' ')) {
    const [action, key = ''] = step;
    if (action === 'w') policy.written(key, 1);
    else policy.read(key);
  }
  const gone: string[] = [];
  for (let key = policy.next(); key !== undefined; key = policy.next()) gone.push(key);
  return gone.join('');
}

test('least recently written: reading does not protect an entry, writing again does', () => {
  expect(order(evictionPolicies.lrw(), 'wa wb wc ra ra wb')).toBe('acb');
});

test('least recently used: reading and writing protect an entry', () => {
  expect(order(evictionPolicies.lru(), 'wa wb wc ra wd wb')).toBe('cadb');
});

test('S3-FIFO: an entry read more than once in the small queue stays longer, one read is not enough', () => {
  expect(order(evictionPolicies['s3-fifo'](), 'wa wb wc ra ra rb')).toBe('bca');
});

test('S3-FIFO: a key that returns after its eviction skips the small queue', () => {
  const policy = evictionPolicies['s3-fifo']();
  for (const key of 'abcdefghij') policy.written(key, 1);
  expect(policy.next()).toBe('a');
  policy.written('a', 1);
  policy.written('k', 1);
  // The entries of the small queue are evicted first; a is in the main queue.
  const rest: string[] = [];
  for (let key = policy.next(); key !== undefined; key = policy.next()) rest.push(key);
  expect(rest.join('')).toBe('bcdefghijka');
});

test('S3-FIFO: in the main queue each read delays the eviction by one round', () => {
  const policy = evictionPolicies['s3-fifo']();
  for (const key of ['a', 'b', 'a', 'a', 'b', 'b']) policy.written(key, 1);
  // Both move to the main queue, where a is read again.
  policy.written('c', 1);
  expect(policy.next()).toBe('c');
  policy.read('a');
  expect([policy.next(), policy.next(), policy.next()]).toEqual(['b', 'a', undefined]);
});

test.each(reclaimPolicies)('%s evicts every stored key exactly once, and no other', (name) => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('write', 'read', 'remove', 'next'), fc.integer({ min: 0, max: 9 })),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, (trace) => {
      const policy = evictionPolicies[name]();
      const held = new Set<string>();
      for (const [action, number] of trace) {
        const key = `${number}`;
        if (action === 'write') policy.written(key, number);
        if (action === 'write') held.add(key);
        if (action === 'read' && held.has(key)) policy.read(key);
        if (action === 'remove' && held.delete(key)) policy.removed(key);
        if (action !== 'next') continue;
        const next = policy.next();
        if (held.size === 0) expect(next).toBeUndefined();
        else expect(held.delete(next ?? '')).toBe(true);
      }
      while (held.size > 0) expect(held.delete(policy.next() ?? '')).toBe(true);
      expect(policy.next()).toBeUndefined();
    }),
    { numRuns: propertyRuns(50) },
  );
});

/** Hit rate of a store of 200 entries. */
function hitRate(name: (typeof reclaimPolicies)[number], keys: readonly string[]): number {
  const limit = { entries: 200 };
  const store = new LimitedStore<number>({ limit, policy: evictionPolicies[name]() });
  let hits = 0;
  for (const key of keys) {
    if (store.get(key) === undefined) store.set(key, 1, 1);
    else hits++;
  }
  return hits / keys.length;
}

test('on a Zipf trace with scans of one-time keys, S3-FIFO has the highest hit rate and LRU a higher one than LRW', () => {
  const rank = zipfSampler(0.9, 2000, createRandom(9));
  const keys = Array.from({ length: 12_000 }, (_, index) =>
    index % 4000 < 800 ? `scan-${index}` : `${rank()}`,
  );
  const [lrw, lru, s3] = [hitRate('lrw', keys), hitRate('lru', keys), hitRate('s3-fifo', keys)];
  expect(lru).toBeGreaterThan(lrw + 0.01);
  expect(s3).toBeGreaterThan(lru + 0.01);
});
