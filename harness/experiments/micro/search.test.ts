import { expect, test } from 'vitest';
import { micro } from './experiment.ts';
import { searchLoopMs } from './search.ts';

test('a search loop takes as long in a shard as in a run of the whole plan', () => {
  const { asked } = micro.options.read({});
  const plan = { ...asked.plan, storage: 'none' as const };
  expect(searchLoopMs(plan)).toBe(500);
  for (const number of [1, 2]) {
    const part = micro.shards?.part(plan, { number, count: 2 });
    expect(part && searchLoopMs(part)).toBe(500);
  }
});
