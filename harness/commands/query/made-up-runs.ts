import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { afterAll, beforeAll, vi } from 'vitest';
import { sweep } from '../../experiments/sweep/experiment.ts';
import { samplesParquet } from '../../results/formats/parquet.ts';

/** A merged sweep of four machines. */
export const merged = madeUpMachines(4);
/** A sweep with recompressed reads, which are no reads of the arm DCB. */
export const plain = madeUpRun(6, [], true);

/** A run directory with its CSV files; with samples.parquet in place of readable samples where `parquet` is given. */
export async function write(
  path: string,
  run: SweepRunDocument,
  parquet?: Uint8Array,
): Promise<string> {
  await mkdir(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run.run));
  const lines = run.samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  writeFileSync(join(path, 'samples.ndjson'), parquet ? '' : lines);
  if (parquet) writeFileSync(join(path, 'samples.parquet'), parquet);
  for (const [name, text] of Object.entries(sweep.files(run, sweep.summarize(run))))
    writeFileSync(join(path, name), text);
  return path;
}

/** Writes both sweeps, and the shards of the merged one, to a directory that is removed after the tests of a file. */
export function runsOnDisk() {
  const base = mkdtempSync(join(tmpdir(), 'cachescope-query-test-'));
  const [mergedPath, plainPath] = [join(base, "it's [merged]"), join(base, 'plain')];
  const shardPaths = [1, 2, 3, 4].map((number) => join(base, `shard-${number}`));
  beforeAll(async () => {
    vi.stubEnv('XDG_STATE_HOME', join(base, 'state'));
    await write(mergedPath, merged, samplesParquet(merged));
    await write(plainPath, plain);
    for (const [place, path] of shardPaths.entries()) {
      const shard = madeUpShard(place + 1, 4);
      await write(path, shard, place === 0 ? samplesParquet(shard) : undefined);
    }
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(base, { recursive: true });
  });
  return { base, mergedPath, plainPath, shardPaths };
}
