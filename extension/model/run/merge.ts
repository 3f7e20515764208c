import { type Parsed } from '../parsed.ts';
import type { RunBase } from './base.ts';
import type { SavedExperiment } from './experiment.ts';
import { mergedEnvironment, mergedMachines, mergedWarnings } from './merged-machines.ts';
import { experiments, type RunDocument } from './run.ts';
import { inShard, inWhole, type Shard, shardOf } from './shard.ts';

/** One shard: its run.json and its lines, unchanged. */
export interface ShardRun {
  run: RunBase & { experiment: string; plan: object; shard: Shard };
  lines: readonly object[];
  beside: readonly object[];
}

/** The fields of a line that merging uses, for any experiment. */
interface Line {
  sequence?: number;
  launch?: number;
  pass?: number;
  round?: number;
  machine?: string;
  shard?: number;
  traceFile?: string;
}

/** The fields that number a line within its run. */
const counts = ['sequence', 'launch', 'pass', 'round'] as const;

function savedOf({ run }: Pick<RunDocument, 'run'>): SavedExperiment<RunDocument, object, object> {
  return experiments[run.experiment];
}

/** The shards of a document: a shard itself, or the shards that a merged run was merged from; null: neither. */
export function shardsOf(document: RunDocument): ShardRun[] | null {
  const { run } = document;
  const saved = savedOf(document);
  const lines = saved.itemsOf(document) as Line[];
  const beside = saved.besideOf(document) as Line[];
  if (run.merged)
    return run.merged.shards.map((shard) => ({
      // Each was validated as run.json of this experiment before the merge.
      run: shard as unknown as ShardRun['run'],
      lines: linesOf(lines, shard.shard),
      beside: linesOf(beside, shard.shard),
    }));
  const { shard } = run;
  return shard ? [{ run: { ...run, shard }, lines, beside }] : null;
}

function linesOf(lines: readonly Line[], { number, count }: Shard): Line[] {
  return lines
    .filter(({ sequence, shard }) =>
      sequence === undefined ? shard === number : shardOf(sequence, count) === number,
    )
    .map((line) => {
      const { machine: _, shard: __, ...own } = line;
      return recounted(own, (value) => inShard(value, count));
    });
}

/** A shard's line in the merged run: with numbers that are unique across shards, and with its machine. */
function placed(line: Line, shard: Shard): Line {
  const { machine, number } = shard;
  const own = recounted(line, (value) => inWhole(value, shard));
  return { ...own, machine, ...(line.sequence === undefined && { shard: number }) };
}

function recounted(line: Line, of: (value: number) => number): Line {
  const changed: Line = { ...line };
  for (const name of counts) if (line[name] !== undefined) changed[name] = of(line[name]);
  if (line.traceFile !== undefined) changed.traceFile = retraced(line.traceFile, of);
  return changed;
}

/** Renumbers `3.json.gz` between a shard and the merged run. */
function retraced(file: string, of: (value: number) => number): string {
  return file.replace(/^\d+/, (number) => String(of(Number(number))));
}

/** Name of a shard's trace file in the merged run. */
export function mergedTraceFile(file: string, shard: Shard): string {
  return retraced(file, (value) => inWhole(value, shard));
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
  const shards = documents.flatMap((document) => shardsOf(document) ?? []);
  const [first] = shards;
  const others = documents.filter((document) => shardsOf(document) === null);
  if (!first || others.length > 0)
    return {
      problems: others.map(
        ({ run }) => `the ${run.experiment} of ${run.startedAt} is not a shard of a plan`,
      ),
    };
  const reference = shards.find(({ run }) => chromiumOf(run) !== null) ?? first;
  const differences = new Set(shards.flatMap(({ run }) => planDifferences(reference.run, run)));
  if (differences.size > 0) return { problems: [...differences] };
  const numbers = Map.groupBy(shards, ({ run }) => run.shard.number);
  const problems: string[] = [];
  const kept = [...numbers.values()].flatMap((same) => furthest(same, problems));
  if (problems.length > 0) return { problems };
  return { value: joined(kept.toSorted((a, b) => a.run.shard.number - b.run.shard.number)) };
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

/** Version of the browser; null when no browser was launched. */
function chromiumOf({ environment }: ShardRun['run']): string | null {
  const { version } = environment.chromium;
  return /\d/.test(version) ? version : null;
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
function furthest(same: readonly ShardRun[], problems: string[]): ShardRun[] {
  const [best, ...others] = same.toSorted(byProgress);
  if (!best) return [];
  if (others.every((other) => isBeginning(other, best))) return [best];
  const { number, machine } = best.run.shard;
  const machines = [...new Set(same.map(({ run }) => run.shard.machine))].join(' and ');
  problems.push(
    `shard ${number} is there twice with different samples, taken on ${machines || machine}: name only one of them`,
  );
  return [];
}

/** A total order that does not depend on the order of the copies: merging must not depend on it. */
function byProgress(one: ShardRun, other: ShardRun): number {
  const rank = ({ run, lines, beside }: ShardRun) => [
    lines.length,
    beside.length,
    run.status === 'running' ? 0 : 1,
  ];
  const [a, b] = [rank(one), rank(other)];
  const place = a.findIndex((value, index) => value !== b[index]);
  if (place >= 0) return (b[place] ?? 0) - (a[place] ?? 0);
  const [first, second] = [canonical(one.run), canonical(other.run)];
  return first === second ? 0 : first < second ? 1 : -1;
}

function isBeginning(part: ShardRun, whole: ShardRun): boolean {
  if (part.run.startedAt !== whole.run.startedAt) return false;
  const begins = (lines: readonly object[], all: readonly object[]) =>
    lines.every((line, place) => canonical(line) === canonical(all[place]));
  return begins(part.lines, whole.lines) && begins(part.beside, whole.beside);
}

/** Fields of run.json that a merged run recomputes, or that belong to one machine. */
const ownFields = new Set(['shard', 'merged', 'resumed', 'statusReason', 'endedAt', 'machine']);

/** The merged run of shards that are sorted and belong to one plan. */
function joined(shards: readonly ShardRun[]): RunDocument {
  const [first] = shards;
  if (!first) throw new Error('nothing to merge');
  const runs = shards.map(({ run }) => run);
  const plan = first.run.shard.whole;
  const reason = lacking(runs);
  const ends = runs.map(({ endedAt }) => endedAt);
  const spent = runs.flatMap(({ timeSpent }) => timeSpent ?? []);
  const run = {
    ...withoutOwn(unitedFields(runs)),
    plan,
    status: reason === null ? 'complete' : 'partial',
    ...(reason !== null && { statusReason: reason }),
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0],
    ...(ends.every((end) => end !== undefined) && { endedAt: ends.toSorted().at(-1) }),
    environment: mergedEnvironment(runs),
    ...(spent.length > 0 && {
      timeSpent: {
        totalMs: spent.reduce((sum, { totalMs }) => sum + totalMs, 0),
        measuringMs: spent.reduce((sum, { measuringMs }) => sum + measuringMs, 0),
      },
    }),
    warnings: mergedWarnings(runs),
    merged: { shards: runs },
  } as unknown as RunDocument['run'];
  const machines = mergedMachines(runs);
  const all = (of: (shard: ShardRun) => readonly object[]) =>
    shards.flatMap((shard) => {
      const machine = machines.get(shard.run.shard.number) ?? shard.run.shard.machine;
      return of(shard).map((line) => placed(line, { ...shard.run.shard, machine }));
    });
  const lines = all(({ lines }) => lines).toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  return savedOf({ run }).join(
    run,
    lines,
    all(({ beside }) => beside),
  );
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
      ? recounted(entry as Line, (launch) => inWhole(launch, shard))
      : entry,
  );
}

function eachOnce(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonical(value), value])).values()];
}

/** The missing and unfinished shards, without a full stop; null: none. */
function lacking(runs: readonly ShardRun['run'][]): string | null {
  const count = runs[0]?.shard.count ?? 0;
  const known = new Set(runs.map(({ shard }) => shard.number));
  const missing = Array.from({ length: count }, (_, place) => place + 1).filter(
    (number) => !known.has(number),
  );
  const unfinished = runs
    .filter(({ status }) => status !== 'complete')
    .map(
      ({ shard, status, statusReason }) =>
        `shard ${shard.number} is ${status}${statusReason === undefined ? '' : ` (${statusReason})`}`,
    );
  const absent =
    missing.length === 0
      ? []
      : [
          `${missing.length === 1 ? 'shard' : 'shards'} ${missing.join(', ')} of ${count} ${missing.length === 1 ? 'is' : 'are'} missing`,
        ];
  const all = [...absent, ...unfinished];
  return all.length === 0 ? null : all.join('; ');
}
