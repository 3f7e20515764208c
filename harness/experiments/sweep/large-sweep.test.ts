import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import { joined, mergeOf, sourceOf } from '@cachescope/model/run/merge.ts';
import type { MergeSource } from '@cachescope/model/run/shard-run.ts';
import { isRunOf } from '@cachescope/model/run/run.ts';
import { savedSweep, type SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { samplesFile, samplesParquet } from '../../results/formats/parquet.ts';
import { writeLines } from '../../results/line-file.ts';
import { readRunDirectory, RunDirectory } from '../../results/run-directory.ts';
import { bySummary } from './by-summary.ts';
import { sweep } from './experiment.ts';
import { LargeSweep, mergedLargeSweep, readLargeRun } from './large-sweep.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
afterAll(() => rmSync(base, { recursive: true }));
let directories = 0;

/** A shard of three; `taken`: its first samples only. */
interface ShardAsked {
  number: number;
  taken: number | undefined;
}

/** A made-up shard; each sample has reasons of its own, so that a misplaced one is noticed. */
function shardWith(number: number, count: number, taken?: number): SweepRunDocument {
  const { run, samples } = madeUpShard(number, count, taken === undefined ? {} : { taken });
  const own = samples.map((sample) => ({
    ...sample,
    evictionMs: sample.sequence / 7,
    networkServiceMs: sample.sequence / 11,
    attribution: { ...sample.attribution, reasons: [`read ${sample.readMs}`] },
  }));
  const disagreements = ['made up'];
  const none = { count: 0, sumMs: 0 };
  const counts = { hits: 1, others: 0, contentBytes: [], open: none, used: none, reads: 2 };
  const histograms = [{ ...counts, launch: 1, disagreements }];
  const plan = { ...run.plan, explain: true };
  return { run: { ...run, plan, histograms }, samples: own };
}

function written({ run, samples }: SweepRunDocument): string {
  const path = join(base, `${directories++}`);
  mkdirSync(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  writeLines(join(path, 'samples.ndjson'), samples);
  return path;
}

async function sweepAt(path: string, held: 'whole' | 'none' = 'whole'): Promise<SweepRunDocument> {
  const document = await readRunDirectory(path, held);
  if (!isRunOf('sweep', document)) throw new Error('no sweep');
  return document;
}

async function largeAt(path: string): Promise<LargeSweep> {
  return new LargeSweep(path, await sweepAt(path, 'none'));
}

function mergeFrom(sources: readonly MergeSource[]) {
  const merge = mergeOf(sources);
  if ('problems' in merge) throw new Error(merge.problems.join());
  return merge.value;
}

function heldMerge(documents: readonly SweepRunDocument[]): SweepRunDocument {
  const document = joined(mergeFrom(documents.map(sourceOf)));
  if (!isRunOf('sweep', document)) throw new Error('no sweep');
  return document;
}

/** Shards as directories; `isMerged`: the first two as a merged run, beside a copy of the second. */
async function directoriesOf(all: readonly ShardAsked[], isMerged: boolean): Promise<string[]> {
  const paths = all.map(({ number, taken }) => written(shardWith(number, 3, taken)));
  if (!isMerged) return paths;
  const some = await Promise.all(paths.slice(0, 2).map((path) => sweepAt(path)));
  return [written(heldMerge(some)), ...paths.slice(1)];
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const shards = fc.array(
  fc.record({
    number: fc.integer({ min: 1, max: 3 }),
    taken: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 4 },
);

/** The merged run has the beginning of the first, and a copy of the second. */
const copies = [1, 2, 2, 1].map((number, place) => ({
  number,
  taken: place === 0 ? 30 : undefined,
}));

test('a merge and a report that hold no samples have the samples, the run and the results of those that do', async () => {
  await fc.assert(
    fc.asyncProperty(shards, fc.boolean(), async (all, isMerged) => {
      const paths = await directoriesOf(all, isMerged);
      const held = heldMerge(await Promise.all(paths.map((path) => sweepAt(path))));
      const directory = await RunDirectory.create(join(base, `${directories++}`), savedSweep);
      const streamed = mergedLargeSweep(
        directory,
        mergeFrom(await Promise.all(paths.map(largeAt))),
      );
      expect(streamed.samples).toEqual([]);
      expect(streamed.run).toEqual(held.run);
      expect(json(sweep.summarize(streamed))).toEqual(json(sweep.summarize(held)));
      const shown = bySummary(streamed, sweep.summarize(streamed));
      expect(json(shown)).toEqual(json(bySummary(held, sweep.summarize(held), 0)));
      await directory.writeRun(streamed.run);
      expect((await sweepAt(directory.path)).samples).toEqual(held.samples);
      const parquet = readFileSync(join(directory.path, samplesFile));
      expect(parquet.equals(samplesParquet(held))).toBe(true);
      const reported = await readLargeRun(directory.path);
      expect(reported).toEqual(streamed);
    }),
    { numRuns: propertyRuns(2), examples: [[copies, true]] },
  );
});

test('broken, repeated and foreign lines are left out and reported, by merge and by report', async () => {
  const path = written(shardWith(1, 1));
  const clean = heldMerge([await sweepAt(path)]);
  const lines = join(path, 'samples.ndjson');
  const first = JSON.stringify(shardWith(1, 1).samples[0]);
  appendFileSync(lines, `null\n{}\n${first}\n${first.slice(0, 50)}`);
  const directory = await RunDirectory.create(join(base, `${directories++}`), savedSweep);
  const { run } = mergedLargeSweep(directory, mergeFrom([await largeAt(path)]));
  await directory.writeRun(run);
  expect((await sweepAt(directory.path)).samples).toEqual(clean.samples);
  const held = heldMerge([await sweepAt(path)]);
  expect(held.run.warnings.join()).toContain('4 lines of samples.ndjson');
  expect(run).toEqual(held.run);
  expect((await readLargeRun(path)).run).toEqual((await sweepAt(path)).run);
});

test('lines that are missing from a file are reported, by merge and by report', async () => {
  const { run, samples } = shardWith(1, 1);
  const path = written({ run, samples: samples.slice(0, -2) });
  const held = await sweepAt(path);
  expect(held.run.warnings.at(-1)).toContain(
    `samples.ndjson lacks 2 of the ${samples.length} lines`,
  );
  expect((await readLargeRun(path)).run).toEqual(held.run);
  const directory = await RunDirectory.create(join(base, `${directories++}`), savedSweep);
  const merged = mergedLargeSweep(directory, mergeFrom([await largeAt(path)]));
  expect(merged.run).toEqual(heldMerge([held]).run);
  expect(merged.run.warnings.join()).toContain('lacks 2 of');
});

test.each([
  ['in another order', [1, 0], 'sample 0 follows sample 1'],
  ['none', [], 'line 1'],
])('samples %s are refused', async (_, order, message) => {
  const { run, samples } = shardWith(1, 1);
  const path = written({ run, samples: order.flatMap((place) => samples[place] ?? []) });
  if (order.length === 0) writeFileSync(join(path, 'samples.ndjson'), '{}\n');
  await expect(readLargeRun(path)).rejects.toMatchObject({
    code: 'CS_RUN_INVALID',
    message: expect.stringContaining(message),
  });
});
