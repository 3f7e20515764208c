import { type Parsed } from '../parsed.ts';
import { canonical, differencesOf } from './canonical.ts';
import type { SavedExperiment } from './experiment.ts';
import { mergedHead, warningsOfReading } from './merged-head.ts';
import { byPlace, type Line, ownLines, placed, placedLines } from './merged-lines.ts';
import { chromiumOf, mergedMachines } from './merged-machines.ts';
import { experiments, type RunDocument } from './run.ts';
import type { Shard } from './shard.ts';
import { type MergeSource, type ShardRun, shardRunsOf } from './shard-run.ts';

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
