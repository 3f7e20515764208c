import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpShard } from '@cachescope/model/fixtures/made-up-shard.ts';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import { mergedRun } from '@cachescope/model/run/merge.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { writeLines } from './line-file.ts';
import { readRunDirectory } from './run-directory.ts';
import { sampleSources, wholeSamples } from './whole-samples.ts';

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
    attribution: { ...sample.attribution, reasons: [`read ${sample.readMs}`] },
  }));
  return { run, samples: own };
}

function written({ run, samples }: SweepRunDocument): string {
  const path = join(base, `${directories++}`);
  mkdirSync(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  writeLines(join(path, 'samples.ndjson'), samples);
  return path;
}

/** Shards as directories; `isMerged`: the first two as a merged run, beside a copy of the second. */
async function directoriesOf(all: readonly ShardAsked[], isMerged: boolean) {
  const paths = all.map(({ number, taken }) => written(shardWith(number, 3, taken)));
  if (!isMerged) return paths;
  const some = await Promise.all(paths.slice(0, 2).map((path) => readRunDirectory(path)));
  return [written(sweepOf(some)), ...paths.slice(1)];
}

function sweepOf(documents: readonly RunDocument[]): SweepRunDocument {
  const merged = mergedRun(documents);
  if ('problems' in merged || !isRunOf('sweep', merged.value)) throw new Error('not merged');
  return merged.value;
}

async function read(paths: readonly string[], isLight: boolean) {
  return Promise.all(
    paths.map(async (path) => ({ path, document: await readRunDirectory(path, isLight) })),
  );
}

const shards = fc.array(
  fc.record({
    number: fc.integer({ min: 1, max: 3 }),
    taken: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  }),
  { minLength: 2, maxLength: 4 },
);

test('a merge that reads samples one by one writes the samples, and finds the summary, of one that holds them', async () => {
  await fc.assert(
    fc.asyncProperty(shards, fc.boolean(), async (all, isMerged) => {
      const paths = await directoriesOf(all, isMerged);
      const held = sweepOf((await read(paths, false)).map(({ document }) => document));
      const sources = await read(paths, true);
      const light = sweepOf(sources.map(({ document }) => document));
      expect(light.samples.every(({ attribution }) => attribution.reasons.length === 0)).toBe(true);
      expect(summarize(light.run, light.samples)).toEqual(summarize(held.run, held.samples));
      const lines = [...wholeSamples(light, sampleSources(sources))];
      expect(lines).toEqual(held.samples);
    }),
    { numRuns: propertyRuns(2) },
  );
});

test('broken, repeated and foreign lines are passed over', async () => {
  const path = written(shardWith(1, 1));
  const [clean] = await read([path], false);
  const lines = join(path, 'samples.ndjson');
  const first = JSON.stringify(shardWith(1, 1).samples[0]);
  appendFileSync(lines, `null\n{}\n${first}\n${first.slice(0, 50)}`);
  const sources = await read([path], true);
  expect(sources[0]?.document.run.warnings.join()).toContain('4 lines of samples.ndjson');
  const merged = sweepOf(sources.map(({ document }) => document));
  const whole = [...wholeSamples(merged, sampleSources(sources))];
  expect(whole).toEqual(clean ? sweepOf([clean.document]).samples : null);
});

test('a source that lost samples since it was read is refused, with its directory', async () => {
  const path = written(shardWith(1, 1));
  const sources = await read([path], true);
  const merged = sweepOf(sources.map(({ document }) => document));
  writeLines(join(path, 'samples.ndjson'), shardWith(1, 1).samples.slice(0, 5));
  const start = wholeSamples(merged, sampleSources(sources));
  expect(() => [...start]).toThrow(expect.objectContaining({ code: 'CS_RUN_INVALID' }));
});
