import type { RunBase } from './base.ts';
import { canonical } from './canonical.ts';
import {
  lackingShards,
  mergedEnvironment,
  mergedNginx,
  mergedWarnings,
} from './merged-machines.ts';
import { type Line, renumbered } from './merged-lines.ts';
import type { RunDocument } from './run.ts';
import type { Shard } from './shard.ts';
import { type ShardRun, shardRunsOf } from './shard-run.ts';
import { mergedSweepFields } from '../sweep/merged-fields.ts';
import type { SweepRun } from '../sweep/run.ts';

/** Fields of run.json that a merged run recomputes, or that belong to one machine. */
const ownFields = new Set([
  'shard',
  'merged',
  'resumed',
  'statusReason',
  'endedAt',
  'machine',
  'machineLoad',
  'lineCount',
  'leftOut',
  'timeSpent',
]);

/**
 * run.json of the merged run, from those of shards that are sorted and belong to one plan. `lineCount`: number of its
 * lines; absent: not known yet.
 */
export function mergedHead(
  shards: readonly Pick<ShardRun, 'run' | 'source'>[],
  lineCount?: number,
): RunDocument['run'] {
  const runs = shards.map(({ run }) => run);
  const [first] = runs;
  if (!first) throw new Error('nothing to merge');
  const plan = first.shard.whole;
  const reasons = [...lackingShards(runs), ...lackingLines(runs, lineCount)];
  const ends = runs.map(({ endedAt }) => endedAt);
  const spent = runs.flatMap(({ timeSpent }) => timeSpent ?? []);
  return {
    ...withoutOwn(unitedFields(runs)),
    plan,
    ...(first.experiment === 'sweep' && sweepFields(runs)),
    ...mergedNginx(runs),
    status: reasons.length === 0 ? 'complete' : 'partial',
    ...(reasons.length > 0 && { statusReason: reasons.join('; ') }),
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0],
    ...(ends.every((end) => end !== undefined) && { endedAt: ends.toSorted().at(-1) }),
    environment: mergedEnvironment(runs),
    ...(lineCount !== undefined && { lineCount }),
    ...(spent.length === runs.length && { timeSpent: spent.reduce(bothTimes) }),
    warnings: [...new Set([...mergedWarnings(runs), ...warningsOfReading(shards)])],
    merged: { shards: runs },
  } as unknown as RunDocument['run'];
}

/** A reason when fewer lines were found than the shards wrote; the number of one that has not ended is unknown. */
function lackingLines(runs: readonly ShardRun['run'][], found = Infinity): string[] {
  const written = runs.reduce((sum, run) => sum + (run.lineCount ?? 0), 0);
  if (found >= written) return [];
  return [`${written - found} of the ${written} lines that the shards wrote cannot be used`];
}

/** Warnings that merged runs got when they were read, about their lines. */
export function warningsOfReading(shards: readonly Pick<ShardRun, 'source'>[]): string[] {
  return [...new Set(shards.map(({ source }) => source))].flatMap(({ run }) => {
    if (!run.merged) return [];
    const own = new Set(mergedWarnings(shardRunsOf({ run })));
    return run.warnings.filter((warning) => !own.has(warning));
  });
}

function sweepFields(runs: readonly ShardRun['run'][]): Partial<SweepRun> {
  // Each was validated as run.json of a sweep.
  const sweeps = runs as unknown as readonly SweepRun[];
  return mergedSweepFields(runs[0]?.shard.whole as unknown as SweepRun['plan'], sweeps);
}

type TimeSpent = NonNullable<RunBase['timeSpent']>;

function bothTimes(one: TimeSpent, other: TimeSpent): TimeSpent {
  const { totalMs, measuringMs } = other;
  return { totalMs: one.totalMs + totalMs, measuringMs: one.measuringMs + measuringMs };
}

function withoutOwn(run: object): object {
  return Object.fromEntries(Object.entries(run).filter(([name]) => !ownFields.has(name)));
}

/** Lists of all shards, without duplicate entries; for other fields, the value of the first shard that has one. */
function unitedFields(runs: readonly ShardRun['run'][]): Record<string, unknown> {
  const united: Record<string, unknown> = {};
  for (const run of runs) {
    for (const [name, own] of Object.entries(run)) {
      const value = placedEntries(own, run.shard);
      const before = united[name];
      if (before === undefined) united[name] = value;
      else if (Array.isArray(before) && Array.isArray(value) && name !== 'commandLine')
        united[name] = eachOnce([...before, ...value]);
    }
  }
  return united;
}

/**
 * Gives entries that contain a launch number, such as histograms, the number that this launch has in the merged run.
 */
function placedEntries(value: unknown, shard: Shard): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'launch' in entry
      ? renumbered(entry as Line, shard)
      : entry,
  );
}

function eachOnce(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonical(value), value])).values()];
}
