import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { type Sample, cellKey } from '@cachescope/model/run/sample.ts';
import { shardSeed } from '@cachescope/model/run/shard.ts';
import { expect, test } from 'vitest';
import { missingFirstLoads } from './first-loads.ts';
import { cellsAt, pairsOf, type Point } from '../sweep/points.ts';

const { run, samples } = explainedSweep({ arms: ['identity', 'br', 'dcb', 'dcz'] });
const plan = { ...run.plan, firstLoads: true, seed: 8 };
const point: Point = { storage: 'nbd-delay', delayMs: 5 };

test('each planned pass needs one load without a dictionary and one with a dictionary, of the first workload', () => {
  const wanted = missingFirstLoads({ plan, samples }, point, 0);
  expect(wanted.map(({ arm, workload }) => [arm, workload])).toEqual([
    ['br', 'big'],
    ['dcb', 'big'],
  ]);
  const next = missingFirstLoads({ plan, samples }, point, 1);
  expect(next.map(({ arm }) => arm)).toEqual(['dcb', 'br']);
  expect(missingFirstLoads({ plan, samples }, point, plan.launchesPerPoint)).toEqual([]);
  expect(missingFirstLoads({ plan: run.plan, samples }, point, 0)).toEqual([]);
});

test('shards of one launch each alternate the order, so that neither load always comes first', () => {
  const orders = [1, 2, 3, 4].map((number) => {
    const seed = shardSeed(plan.seed, { number, count: 4 });
    const shard = { ...plan, launchesPerPoint: 1, seed };
    return missingFirstLoads({ plan: shard, samples }, point, 0).map(({ arm }) => arm);
  });
  const [ahead, behind] = [
    ['br', 'dcb'],
    ['dcb', 'br'],
  ];
  expect(orders).toEqual([ahead, behind, ahead, behind]);
});

test('a browser that recompresses takes no first loads: they would be compared as the unchanged one', () => {
  const recompressed = { ...point, variant: 'recompressed' };
  const wanted = { plan: { ...plan, recompress: true }, samples };
  expect(missingFirstLoads(wanted, recompressed, 0)).toEqual([]);
  expect(missingFirstLoads(wanted, point, 0)).toHaveLength(2);
});

test('a load that exists is not taken again', () => {
  const [first] = missingFirstLoads({ plan, samples }, point, 1);
  const taken = { ...samples[0], kind: 'first load', pass: 1, cell: first } as Sample;
  const wanted = missingFirstLoads({ plan, samples: [...samples, taken] }, point, 1);
  expect(wanted.map(({ arm }) => arm)).toEqual(['br']);
});

test('a point has a cell for each arm of each workload', () => {
  const cells = cellsAt(plan, point);
  expect(cells).toHaveLength(2 * 4);
  const pairs = pairsOf(plan).flatMap(({ of, against }) => [of, against]);
  expect(pairs).toContain(cellKey({ ...point, arm: 'dcb', workload: 'small' }));
});
