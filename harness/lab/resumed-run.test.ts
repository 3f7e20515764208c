import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { expect, test } from 'vitest';
import { thisMachine } from './division.ts';
import { requireResumable } from './resumed-run.ts';

const { run } = madeUpRun(2);

test('a complete run has nothing to resume', () => {
  expect(() => requireResumable(run, '/run')).toThrow(
    expect.objectContaining({ code: 'CS_RESUME_COMPLETE', exitCode: 2 }),
  );
});

test('a merged run is not resumed: its shards are', () => {
  const merged = { ...run, status: 'partial' as const, merged: { shards: [] } };
  expect(() => requireResumable(merged, '/run')).toThrow(
    expect.objectContaining({
      code: 'CS_RESUME_SHARDS',
      exitCode: 2,
      hint: expect.stringContaining('npm run merge -- /run'),
    }),
  );
});

test('a shard is resumed on its own machine only', () => {
  const { run: elsewhere } = madeUpShard(1, 6, { taken: 5, machine: 'another' });
  expect(() => requireResumable(elsewhere, '/run')).toThrow(
    expect.objectContaining({
      code: 'CS_RESUME_SHARDS',
      message: `/run is a shard of the machine another; this machine is ${thisMachine().machine}`,
    }),
  );
  const { run: own } = madeUpShard(1, 6, { taken: 5, ...thisMachine() });
  expect(() => requireResumable(own, '/run')).not.toThrow();
  expect(() => requireResumable({ ...run, status: 'partial' }, '/run')).not.toThrow();
});
