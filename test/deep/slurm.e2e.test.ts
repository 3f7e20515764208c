import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TransferSample } from '@cachescope/model/transfer/sample.ts';
import { afterAll, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import {
  base,
  cachescope,
  environmentIn,
  expectNothingLeft,
  linesOf,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { SlurmCluster, whatSlurmLacks } from './slurm-cluster.ts';

const lack = await whatSlurmLacks();
if (lack !== null) console.warn(`The test of Slurm is skipped: ${lack}`);

/** A shard lasts more than a second, so that it can be killed while it measures. */
const options =
  '--clients node --protocols h1,h2 --sizes 1kB --requests 240 --launches 6 --server-delay 20 --seed 3';
const shards = 6;

let cluster: SlurmCluster | undefined;
afterAll(() => cluster?.stop());

/** Number of samples of each cell. */
function countsOf(samples: readonly TransferSample[]): Record<string, number> {
  const cells = Map.groupBy(samples, ({ cell }) => JSON.stringify(cell));
  return Object.fromEntries([...cells].map(([cell, own]) => [cell, own.length]));
}

test.skipIf(lack !== null)(
  'an array of six shards, one of them killed and requeued, is merged into the run of the whole plan',
  async () => {
    const plan = join(base, 'plan.json');
    const planned = await cachescope(
      'plan',
      'transfer',
      ...options.split(' '),
      '--out',
      plan,
      '--slurm',
    );
    expect(planned.code, planned.stderr).toBe(0);
    const { id } = JSON.parse(readFileSync(plan, 'utf8')) as { id: string };
    const planId = id.slice(0, 12);
    const shard = (number: number) => join(base, `${planId}_${number}-of-${shards}`);

    cluster = await SlurmCluster.start(join(base, 'slurm'), environmentIn(base));
    await cluster.run('bash', join(base, 'plan.slurm.sh'));
    const jobs = ['--noheader', `--name=cachescope-${planId}`, '--format=%F'];
    const [arrayId = ''] = (await cluster.run('squeue', ...jobs)).split('\n');
    await cluster.until(() => linesOf(join(shard(3), 'transfers.ndjson')).length > 0);
    await cluster.run('scontrol', 'requeue', `${arrayId}_3`);
    await cluster.idle();

    const aside = readdirSync(base).filter((name) => name.startsWith('interrupted-'));
    expect(aside).toEqual([expect.stringContaining(basename(shard(3)))]);
    const [merged = '', ...more] = readdirSync(base).filter((name) => name.includes('_merged-'));
    expect(more).toEqual([]);
    const { run, samples } = await readRunOf('transfer', join(base, merged));
    expect(run.status, run.statusReason).toBe('complete');
    expect(run.merged?.shards).toHaveLength(shards);

    const alone = join(base, 'alone');
    const whole = await cachescope('transfer', '--plan', plan, '--out', alone);
    expect(whole.code, whole.stderr).toBe(0);
    const single = await readRunOf('transfer', alone);
    expect(run.plan).toEqual(single.run.plan);
    expect(countsOf(samples)).toEqual(countsOf(single.samples));
    await cluster.stop();
    expectNothingLeft();
  },
  2 * hangLimitMs,
);
