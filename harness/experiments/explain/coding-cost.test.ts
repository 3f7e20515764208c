import { syntheticWorkload } from '@cachescope/origin/workloads/synthetic.ts';
import { expect, test } from 'vitest';
import { codingCosts } from './coding-cost.ts';

test('every coding except identity is timed in both directions, with its size', async () => {
  const costs = await codingCosts(syntheticWorkload('synthetic:20KiB', 20_480));
  expect(costs.map(({ coding }) => coding)).toEqual(['gzip', 'br', 'zstd', 'dcb', 'dcz']);
  for (const { encodeMs, decodeMs, encodedBytes } of costs) {
    expect(encodeMs).toBeGreaterThan(0);
    expect(decodeMs).toBeGreaterThan(0);
    expect(encodedBytes).toBeLessThan(20_480);
  }
  const bytes = Object.fromEntries(costs.map((cost) => [cost.coding, cost.encodedBytes]));
  expect(bytes['dcb']).toBeLessThan((bytes['br'] ?? 0) / 4);
});
