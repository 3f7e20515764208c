import { expect, test } from 'vitest';
import { madeUpShard } from '../fixtures/made-up-shard.ts';
import { mostShards, shardSchema } from './shard.ts';

test('a saved shard names at most as many shards as a plan can have', () => {
  const { shard } = madeUpShard(1, 6).run;
  const isRead = (count: number) => shardSchema.safeParse({ ...shard, count }).success;
  expect([6, mostShards, mostShards + 1, 2 ** 32].map(isRead)).toEqual([true, true, false, false]);
});
