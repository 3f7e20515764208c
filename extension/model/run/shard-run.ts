import type { RunBase } from './base.ts';
import type { RunDocument } from './run.ts';
import type { Shard } from './shard.ts';

/** A run to merge: a shard, or a run that was merged from shards. */
export interface MergeSource {
  run: RunDocument['run'];
  /** Read again at each iteration: the lines of a large run stay in its file. */
  lines: Iterable<object>;
  beside: readonly object[];
}

/** One shard: its run.json and its lines, unchanged, and where they are. */
export interface ShardRun<Source extends MergeSource = MergeSource> {
  run: RunBase & { experiment: string; plan: object; shard: Shard };
  source: Source;
  lines: Iterable<object>;
  beside: readonly object[];
}

/** Runs of the shards in a source: of a shard itself, or of those that a merged run was merged from; empty: neither. */
export function shardRunsOf({ run }: Pick<MergeSource, 'run'>): ShardRun['run'][] {
  const { merged, shard } = run;
  // Each was validated as run.json of this experiment before the merge.
  if (merged) return merged.shards as unknown as ShardRun['run'][];
  return shard ? [{ ...run, shard }] : [];
}
