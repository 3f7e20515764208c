import { explainedSweep } from '@cachescope/model/fixtures/explain.ts';
import { cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import { shardSeed } from '@cachescope/model/run/shard.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { expect, test } from 'vitest';
import type { NextStep } from '../../lab/sampling.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import { nextBlocks } from './next-blocks.ts';
import { cellsAt, cellsOf, slowPointsOf } from './points.ts';

const { run, samples } = explainedSweep({ delaysMs: [5], launches: 3, samplesPerCell: 3 });
const plan: SweepPlan = { ...run.plan, firstLoads: true };
const [slow] = slowPointsOf(plan);
const [model] = samples;
if (!slow || !model) throw new Error('the made-up sweep is empty');

const stop: NextStep = { action: 'stop', reason: null, looks: [] };
const confirmations = cellsOf(plan).map((cell): Sample => ({ ...model, kind: 'companion', cell }));
const points = [{ storage: 'none' as const, delayMs: 0 }, slow];
const firstLoads = [0, 1, 2].flatMap((pass) =>
  points.flatMap((point) =>
    missingFirstLoads({ plan, samples }, point, pass).map((cell): Sample => {
      return { ...model, kind: 'first load', cell, pass };
    }),
  ),
);
const whole = [...samples, ...confirmations, ...firstLoads];

const passesOf = (taken: readonly Sample[], step: NextStep) =>
  nextBlocks({ plan, run, samples: taken }, step).map(({ pass, point, cells }) => [
    pass,
    point.storage,
    cells.length,
  ]);

test('a sweep that lacks nothing takes no block', () => {
  expect(passesOf(whole, stop)).toEqual([]);
});

test('first loads that an interrupted pass lacks are taken before the next pass, and before the end', () => {
  const lacking = whole.filter(
    ({ kind, pass, cell }) => kind !== 'first load' || pass !== 0 || cell.storage === 'none',
  );
  expect(passesOf(lacking, stop)).toEqual([[0, slow.storage, 0]]);
  const [cell] = cellsAt(plan, slow);
  if (!cell) throw new Error('no cell');
  const samplesLacking = new Map([[cellKey(cell), 1]]);
  const next: NextStep = { action: 'take', pass: 1, samples: samplesLacking, looks: [] };
  expect(passesOf(lacking, next)).toEqual([
    [0, slow.storage, 0],
    [1, slow.storage, 1],
  ]);
});

test('a run opens with its first variant; shards of one launch each open with any', () => {
  const variants = ['stock', 'patched'].map((name) => ({ name, enabledFeatures: [] }));
  const compared = { ...plan, firstLoads: false, variants, launchesPerPoint: 1 } as SweepPlan;
  const firstOf = (seed: number, shard: typeof run.shard) => {
    const step: NextStep = {
      action: 'take',
      pass: 0,
      samples: new Map(cellsOf(compared).map((cell) => [cellKey(cell), 1])),
      looks: [],
    };
    const sweep = { plan: { ...compared, seed }, run: { ...run, shard }, samples: [] };
    return nextBlocks(sweep, step)[0]?.point.variant;
  };
  const seeds = Array.from({ length: 12 }, (_, at) => ({ number: at + 1, count: 12 }));
  const inShards = seeds.map((place) =>
    firstOf(shardSeed(7, place), {
      ...place,
      planId: 'made-up',
      machine: 'm',
      bootId: null,
      plannedAt: null,
      whole: {},
    }),
  );
  expect(new Set(inShards)).toEqual(new Set(['stock', 'patched']));
  const alone = seeds.map((place) => firstOf(shardSeed(7, place), undefined));
  expect(new Set(alone)).toEqual(new Set(['stock']));
});
