import { type Parsed } from '../parsed.ts';
import type { RunBase } from './base.ts';
import type { SavedExperiment } from './experiment.ts';
import {
  chromiumOf,
  lackingShards,
  mergedEnvironment,
  mergedMachines,
  mergedNginx,
  mergedWarnings,
} from './merged-machines.ts';
import { experiments, type RunDocument } from './run.ts';
import { byPlace, type Line, ownLines, placed, placedLines, renumbered } from './merged-lines.ts';
import type { Shard } from './shard.ts';
import { mergedSweepFields } from '../sweep/merged-fields.ts';
import type { SweepRun } from '../sweep/run.ts';

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

/** Shards that belong to one plan, each once. */
export interface Merge<Source extends MergeSource = MergeSource> {
  /** By number. */
  shards: ShardRun<Source>[];
  /** The lines of the merged run that each source has, in its order. */
  parts: Iterable<Line>[];
  /** The lines of the second line file. */
  beside: Line[];
}

function savedOf({ run }: Pick<RunDocument, 'run'>): SavedExperiment<RunDocument, object, object> {
  return experiments[run.experiment];
}

/** Runs of the shards in a source: of a shard itself, or of those that a merged run was merged from; empty: neither. */
export function shardRunsOf({ run }: Pick<MergeSource, 'run'>): ShardRun['run'][] {
  const { merged, shard } = run;
  // Each was validated as run.json of this experiment before the merge.
  if (merged) return merged.shards as unknown as ShardRun['run'][];
  return shard ? [{ ...run, shard }] : [];
}

function shardsOf<Source extends MergeSource>(source: Source): ShardRun<Source>[] {
  return shardRunsOf(source).map((run) => {
    const own = (lines: Iterable<Line>) => ownLines(source.run, lines, run.shard.number);
    return { run, source, lines: own(source.lines), beside: [...own(source.beside)] };
  });
}

/**
 * Merges shards, and runs that were merged from shards, into one run of their plan. Each shard is included once,
 * however often and in whatever order it is given. Shards may be missing or incomplete: the run is then partial, and
 * its status reason names them.
 *
 * Problems: documents that are not shards, shards of different plans (with the differences), and two copies of one
 * shard of which neither is the beginning of the other.
 */
export function mergedRun(documents: readonly RunDocument[]): Parsed<RunDocument> {
  const merge = mergeOf(documents.map(sourceOf));
  return 'problems' in merge ? merge : { value: joined(merge.value) };
}

/** A document as a source of a merge. */
export function sourceOf(document: RunDocument): MergeSource {
  const saved = savedOf(document);
  const [lines, beside] = [saved.itemsOf(document), saved.besideOf(document)];
  return { run: document.run, lines, beside };
}

/** Finds the shards to merge. Problems: see `mergedRun`. */
export function mergeOf<Source extends MergeSource>(
  sources: readonly Source[],
): Parsed<Merge<Source>> {
  const shards = sources.flatMap(shardsOf);
  const [first] = shards;
  const others = sources.filter((source) => shardRunsOf(source).length === 0);
  const foreign = others.map(
    ({ run }) => `the ${run.experiment} of ${run.startedAt} is not a shard of a plan`,
  );
  if (!first || foreign.length > 0) return { problems: foreign };
  const reference = shards.find(({ run }) => chromiumOf(run) !== null) ?? first;
  const differences = new Set(shards.flatMap(({ run }) => planDifferences(reference.run, run)));
  if (differences.size > 0) return { problems: [...differences] };
  const numbers = Map.groupBy(shards, ({ run }) => run.shard.number);
  const problems: string[] = [];
  const kept = [...numbers.values()]
    .flatMap((same) => furthest(same, problems))
    .toSorted((a, b) => a.run.shard.number - b.run.shard.number);
  if (problems.length > 0) return { problems };
  const machines = mergedMachines(kept.map(({ run }) => run));
  const placeOf = ({ run: { shard } }: ShardRun): Shard => ({
    ...shard,
    machine: machines.get(shard.number) ?? shard.machine,
  });
  const parts = sources.map((each) => {
    const own = kept.filter(({ source }) => source === each).map(placeOf);
    return placedLines(each.run, each.lines, new Map(own.map((place) => [place.number, place])));
  });
  const beside = kept.flatMap((shard) => shard.beside.map((line) => placed(line, placeOf(shard))));
  return { value: { shards: kept, parts, beside } };
}

/** The merged run with all its lines. */
export function joined({ shards, parts, beside }: Merge): RunDocument {
  const lines = parts.flatMap((part) => [...part]).toSorted(byPlace);
  const run = mergedHead(shards, lines.length);
  return savedOf({ run }).join(run, lines, beside);
}

/** Differences between the plans of two shards, in sentences; empty: both belong to one plan. */
function planDifferences(one: ShardRun['run'], other: ShardRun['run']): string[] {
  const facts = (run: ShardRun['run']) => ({
    experiment: run.experiment,
    'number of shards': run.shard.count,
    'version of Cachescope': run.tool.version,
    Chromium: chromiumOf(run) ?? chromiumOf(one),
    ...run.shard.whole,
    'plan id': run.shard.planId,
  });
  const differing = differencesOf(facts(one), facts(other));
  // The plan id follows from the other fields. When only the id differs, the inputs of the plan differ, for example a
  // page's resources.
  const named = differing.length > 1 ? differing.filter((name) => name !== 'plan id') : differing;
  const [a, b] = [facts(one), facts(other)].map((each) => each as Record<string, unknown>);
  return named.map(
    (name) =>
      `shards of different plans: ${name} is ${JSON.stringify(a?.[name])} in shard ${one.shard.number} on ${one.shard.machine}, ${JSON.stringify(b?.[name])} in shard ${other.shard.number} on ${other.shard.machine}`,
  );
}

/** Names of the fields in which two plans differ. */
export function differencesOf(one: object, other: object): string[] {
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter((name) => canonical(a.get(name)) !== canonical(b.get(name)));
}

/** JSON with sorted object keys: equal values have equal texts. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inside: unknown) =>
      typeof inside === 'object' && inside !== null && !Array.isArray(inside)
        ? Object.fromEntries(Object.entries(inside).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inside,
    ) ?? 'absent'
  );
}

/** Of several copies of one shard, taken at different times, the most complete one. */
function furthest<Source extends MergeSource>(
  same: readonly ShardRun<Source>[],
  problems: string[],
): ShardRun<Source>[] {
  const [first] = same;
  if (!first || same.length === 1) return [...same];
  const [best = first, ...others] = byProgress(same);
  if (others.every((other) => isBeginning(other, best))) return [best];
  const { number, machine } = best.run.shard;
  const machines = [...new Set(same.map(({ run }) => run.shard.machine))].join(' and ');
  problems.push(
    `shard ${number} occurs twice with different samples, taken on ${machines || machine}: name only one of them`,
  );
  return [];
}

/** A total order that does not depend on the order of the copies: merging must not depend on it. */
function byProgress<Shard extends ShardRun>(same: readonly Shard[]): Shard[] {
  const ranked = same.map((shard) => {
    const { run, lines, beside } = shard;
    let count = 0;
    for (const _ of lines) count++;
    const isEnded = run.status !== 'running';
    const rank = [count, beside.length, Number(isEnded), -warningsOfReading([shard]).length];
    return { shard, rank, text: canonical(run) };
  });
  const sorted = ranked.toSorted((one, other) => {
    const place = one.rank.findIndex((value, index) => value !== other.rank[index]);
    if (place >= 0) return (other.rank[place] ?? 0) - (one.rank[place] ?? 0);
    return one.text === other.text ? 0 : one.text < other.text ? 1 : -1;
  });
  return sorted.map(({ shard }) => shard);
}

function isBeginning(part: ShardRun, whole: ShardRun): boolean {
  if (part.run.startedAt !== whole.run.startedAt) return false;
  return begins(part.lines, whole.lines) && begins(part.beside, whole.beside);
}

function begins(lines: Iterable<object>, all: Iterable<object>): boolean {
  const rest = all[Symbol.iterator]();
  try {
    for (const line of lines) if (canonical(line) !== canonical(rest.next().value)) return false;
    return true;
  } finally {
    rest.return?.();
  }
}

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
function warningsOfReading(shards: readonly Pick<ShardRun, 'source'>[]): string[] {
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
