import { expect, test } from 'vitest';
import { madeUpShard } from '../fixtures/made-up-shard.ts';
import { mostShards, shardSchema } from './shard.ts';

test('a saved shard names at most as many shards as a plan can have', () => {
  const { shard } = madeUpShard(1, 6).run;
  const isRead = (count: number) => shardSchema.safeParse({ ...shard, count }).success;
  expect([6, mostShards, mostShards + 1, 2 ** 32].map(isRead)).toEqual([true, true, false, false]);
});

test('a shard beyond the count, and a name that fills memory, are refused', () => {
  const { shard } = madeUpShard(1, 6).run;
  for (const change of [{ number: 3, count: 2 }, { machine: 'm'.repeat(5_000_000) }])
    expect(shardSchema.safeParse({ ...shard, ...change }).success).toBe(false);
});
