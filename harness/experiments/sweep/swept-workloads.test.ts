import { expect, test } from 'vitest';
import { decodeWithDictionary } from '@cachescope/origin/encoding/decoder.ts';
import { savedWorkloads, sweptWorkloads } from './swept-workloads.ts';

const arms = ['br', 'dcb'] as const;

test('the parts of a hit are the DCB body, which decodes with the dictionary, and the dictionary', async () => {
  const [own, delta, dictionary] = await sweptWorkloads([{ name: 'synthetic:20KiB' }], arms, true);
  expect(delta?.planned).toMatchObject({
    name: 'synthetic:20KiB.delta',
    arms: ['identity'],
    part: { of: 'synthetic:20KiB', is: 'delta' },
  });
  const decoded = await decodeWithDictionary(
    'dcb',
    delta?.workload.resource ?? new Uint8Array(),
    dictionary?.workload.resource ?? new Uint8Array(),
  );
  expect(Buffer.compare(decoded, own?.workload.resource ?? new Uint8Array())).toBe(0);
});

test('a saved plan gives the workloads that it was made from', async () => {
  const choices = [{ name: 'synthetic:20KiB' }, { name: 'synthetic:1KiB' }];
  for (const withParts of [false, true]) {
    const swept = await sweptWorkloads(choices, arms, withParts);
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
  }
});
