import { expect, test } from 'vitest';
import { savedWorkloads, sweptWorkloads } from './swept-workloads.ts';

test('a saved plan gives the workloads that it was made from', async () => {
  const arms = ['br', 'dcb'] as const;
  const choices = [{ name: 'synthetic:20KiB' }, { name: 'synthetic:1KiB' }];
  const swept = await sweptWorkloads(choices, arms);
  const workloads = swept.map(({ planned }) => planned);
  const [workload] = workloads;
  if (!workload) throw new Error('no workload');
  const plan = {
    arms: [...arms],
    delaysMs: [],
    storage: 'none' as const,
    delayWrites: false,
    samplesPerCell: 1,
    launchesPerPoint: 1,
    seed: 1,
    workload,
    workloads,
  };
  const saved = await savedWorkloads(plan);
  expect(saved.map(({ planned }) => planned)).toEqual(workloads);
});
