import type { ShardPlace } from '@cachescope/model/run/shard.ts';
import { expect, test } from 'vitest';
import type { Experiment, Kinds } from './experiment.ts';

/** The shards of a plan, the sum of each of the fields over the shards, and the number of different seeds. */
async function sharesOf(name: string, plan: object, fields: readonly string[], count: number) {
  const module = (await import(`./${name}/experiment.ts`)) as Record<string, Experiment<Kinds>>;
  const { shards } = module[name] ?? {};
  const parts = Array.from({ length: count }, (_, place) => {
    const shard: ShardPlace = { number: place + 1, count };
    return shards?.part(plan, shard) as Record<string, number>;
  });
  const sum = (field: string) => parts.reduce((total, part) => total + (part[field] ?? 0), 0);
  return { parts, sums: fields.map(sum), seeds: new Set(parts.map(({ seed }) => seed)).size };
}

const seed = 2 ** 32 - 5;

test.each([
  ['sweep', { launchesPerPoint: 7, samplesPerCell: 20, seed, arms: ['br'] }],
  ['explain', { launchesPerPoint: 7, samplesPerCell: 20, seed, arms: ['br'] }],
  ['pageload', { passes: 7, seed, arms: ['plain'] }],
  ['micro', { launches: 7, timeMs: 70, seed, caches: ['disk'] }],
  ['fill', { rounds: 7, seed, systems: ['origin'] }],
  ['transfer', { launches: 7, requestsPerCell: 100, seed, sizesBytes: [1] }],
])(
  'the shards of a %s add up to its plan, each with all arms and its own seed',
  async (name, plan) => {
    const counts = Object.keys(plan).filter(
      (field) => typeof Reflect.get(plan, field) === 'number' && field !== 'seed',
    );
    for (const count of [1, 3, 7]) {
      const { parts, sums, seeds } = await sharesOf(name, plan, counts, count);
      expect(sums.map((sum) => Math.round(sum))).toEqual(
        counts.map((field) => Reflect.get(plan, field) as number),
      );
      expect(seeds).toBe(count);
      for (const part of parts) {
        for (const field of counts) expect(part[field]).toBeGreaterThan(0);
        for (const [field, value] of Object.entries(plan))
          if (Array.isArray(value)) expect(part[field]).toEqual(value);
      }
    }
  },
);

test('a plan with one shard is unchanged', async () => {
  const plan = { launchesPerPoint: 5, samplesPerCell: 20, seed: 4 };
  const { parts } = await sharesOf('sweep', plan, [], 1);
  expect(parts).toEqual([plan]);
});

test.each([
  ['micro', { headful: true }],
  ['fill', { headful: true }],
  ['fill', { storage: 'dm-delay' }],
  ['transfer', { headful: true }],
  ['pageload', { headful: true }],
])('a plan of %s with %o is another plan', async (name, change) => {
  const module = (await import(`./${name}/experiment.ts`)) as Record<string, Experiment<Kinds>>;
  const read = { page: {}, bodies: [] };
  const planned = { plan: {}, read, headful: false, storage: 'auto' };
  const beside = (typed: object) => module[name]?.shards?.beside?.({ ...planned, ...typed });
  expect(beside(change)).not.toEqual(beside({}));
});
