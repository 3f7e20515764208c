import { join } from 'node:path';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { inShard, shardOf } from '@cachescope/model/run/shard.ts';
import { savedSweep, type SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { foreignLines } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError } from '../error.ts';
import { lightFileRules } from './run-directory.ts';

/** By number of a shard: the directory with the most samples of it, and whether that is a merged run. */
export type SampleSources = ReadonlyMap<number, { path: string; isMerged: boolean }>;

/** Finds where the samples of each shard are, in shards and merged runs that were read for a merge. */
export function sampleSources(
  read: readonly { path: string; document: RunDocument }[],
): SampleSources {
  const best = new Map<number, { path: string; isMerged: boolean; samples: number }>();
  for (const { path, document } of read) {
    if (!isRunOf('sweep', document)) continue;
    const { shard, merged } = document.run;
    const count = merged?.shards[0]?.shard.count;
    const own = Map.groupBy(document.samples, ({ sequence }) =>
      count === undefined ? (shard?.number ?? 1) : shardOf(sequence, count),
    );
    for (const [number, { length: samples }] of own)
      if (samples > (best.get(number)?.samples ?? 0))
        best.set(number, { path, isMerged: count !== undefined, samples });
  }
  return best;
}

/**
 * The samples of a merged run that was read without their evidence (light-samples.ts), each with all that its source
 * holds of it. One is in memory at a time.
 *
 * @throws CachescopeError CS_RUN_INVALID when a source has changed since, or has its samples in another order.
 */
export function* wholeSamples(
  { run, samples }: SweepRunDocument,
  sources: SampleSources,
): Generator<object> {
  const count = run.merged?.shards[0]?.shard.count ?? 1;
  const open = new Map<string, Generator<Partial<Sample>>>();
  try {
    for (const { sequence, launch, pass, machine, flags, readMs } of samples) {
      const source = sources.get(shardOf(sequence, count));
      if (!source) throw new Error(`no source has sample ${sequence}`);
      const { path, isMerged } = source;
      const lines = open.get(path) ?? parsedLines(join(path, savedSweep.lineFile));
      open.set(path, lines);
      const wanted = isMerged ? sequence : inShard(sequence, count);
      const whole = found(lines, wanted, readMs);
      if (!whole) throw changed(path, wanted);
      yield { ...whole, sequence, launch, ...(pass !== undefined && { pass }), machine, flags };
    }
  } finally {
    for (const lines of open.values()) lines.return(undefined);
  }
}

/** The next sample of that number; lines before it are broken, repeated, or of a shard that another source has. */
function found(
  lines: Generator<Partial<Sample>>,
  sequence: number,
  readMs: number,
): Partial<Sample> | null {
  for (;;) {
    const next = lines.next();
    if (next.done) return null;
    if (next.value.sequence === sequence && next.value.readMs === readMs) return next.value;
  }
}

function* parsedLines(path: string): Generator<Partial<Sample>> {
  for (const line of foreignLines(path, lightFileRules)) {
    try {
      yield (JSON.parse(line) ?? {}) as Partial<Sample>;
    } catch {
      // Cut off by a crash; it was counted as broken when the run was read.
    }
  }
}

function changed(path: string, sequence: number): CachescopeError {
  return new CachescopeError(
    'CS_RUN_INVALID',
    `${path} has no sample ${sequence} after those before it: the file has changed, or its lines are not in the order of their sequence`,
    { hint: 'Nothing was merged. Name the directory that the shard wrote.' },
  );
}
