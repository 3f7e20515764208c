import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweep } from '../experiments/sweep/experiment.ts';
import { RunDirectory } from '../results/run-directory.ts';
import { openShard, savedShard, shardDirectory } from './shard-directory.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'cachescope-shard-test-'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** A shard on disk, as an interrupted or complete program left it. */
async function kept(taken?: number): Promise<{ path: string; shard: Shard }> {
  const { run, samples } = madeUpShard(1, 6, taken === undefined ? {} : { taken });
  const path = join(base, 'shard');
  const directory = await RunDirectory.create(path, savedSweep);
  directory.writeLines(samples, []);
  await directory.writeRun(run);
  return { path, shard: run.shard as Shard };
}

const open = (path: string, shard: Shard, experiment = sweep) => {
  const said: string[] = [];
  return openShard(experiment, path, shard, (line) => said.push(line)).then((opened) => {
    if (opened === null) throw new Error('the shard is complete');
    return { ...opened, said };
  });
};

test('a shard has the same directory at every start', () => {
  const { shard } = madeUpShard(3, 12).run;
  expect(basename(shardDirectory(shard as Shard))).toBe('made-up_03-of-12');
});

test('what is no shard is not moved; what a start that was killed at once left is', async () => {
  const shard = madeUpShard(1, 6).run.shard as Shard;
  const mine = join(base, 'mine');
  mkdirSync(mine);
  writeFileSync(join(mine, 'notes.txt'), 'precious');
  await expect(open(mine, shard)).rejects.toMatchObject({ code: 'CS_OUT_EXISTS' });
  await expect(open(join(mine, 'notes.txt'), shard)).rejects.toMatchObject({
    code: 'CS_OUT_EXISTS',
  });
  expect(readdirSync(base)).toEqual(['mine']);
  const begun = join(base, 'begun');
  mkdirSync(begun);
  writeFileSync(join(begun, 'samples.ndjson'), '');
  expect((await open(begun, shard)).saved).toBeUndefined();
});

test('an interrupted shard continues with its samples', async () => {
  const { path, shard } = await kept(5);
  const { saved } = await open(path, shard);
  expect(saved?.samples).toHaveLength(5);
  expect(readdirSync(base)).toEqual(['shard']);
});

test('a shard that another start has completed meanwhile is left as it is, on any machine', async () => {
  const { path, shard } = await kept();
  for (const machine of [shard.machine, 'another'])
    expect(await openShard(sweep, path, { ...shard, machine }, () => undefined)).toBeNull();
  expect(readdirSync(base)).toEqual(['shard']);
});

test('on another machine, or where the experiment cannot resume, it starts again and nothing is lost', async () => {
  const { path, shard } = await kept(5);
  const elsewhere = await open(path, { ...shard, machine: 'another' });
  expect(elsewhere.saved).toBeUndefined();
  const { resume: _, ...experiment } = sweep;
  await elsewhere.directory.writeRun({ ...madeUpShard(1, 6).run, status: 'running' });
  expect((await open(path, shard, experiment)).saved).toBeUndefined();
  expect(readdirSync(base).toSorted()).toEqual([
    'interrupted-1-shard',
    'interrupted-2-shard',
    'shard',
  ]);
  expect((await savedShard(join(base, 'interrupted-1-shard'), shard))?.run.shard).toEqual(shard);
});

test('an existing directory of another shard is refused', async () => {
  const { path, shard } = await kept();
  expect((await savedShard(path, shard))?.run.status).toBe('complete');
  await expect(savedShard(path, { ...shard, number: 2 })).rejects.toMatchObject({
    code: 'CS_OUT_EXISTS',
    message: `${path} holds shard 1/6 of plan made-up, not shard 2/6 of plan made-up`,
  });
});
