import type { RunBase } from './base.ts';
import { inShard, inWhole, type Shard, shardOf } from './shard.ts';

/** The fields of a line that merging uses, for any experiment. */
export interface Line {
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

/** A shard, or a run that was merged from shards. */
type Merged = Pick<RunBase, 'merged' | 'shard'>;

/** Number of the shard that a line of a run belongs to. */
function numberOf({ merged, shard }: Merged, line: Line): number | undefined {
  if (!merged) return shard?.number;
  const count = merged.shards[0]?.shard.count ?? 1;
  return line.sequence === undefined ? line.shard : shardOf(line.sequence, count);
}

/** A line of a run as its shard wrote it. */
function unplaced({ merged }: Merged, line: Line): Line {
  if (!merged) return line;
  const { machine: _, shard: __, ...own } = line;
  return recounted(own, (value) => inShard(value, merged.shards[0]?.shard.count ?? 1));
}

/** The lines of a run that one shard wrote, unchanged. */
export function ownLines(run: Merged, lines: Iterable<Line>, number: number): Iterable<Line> {
  return {
    *[Symbol.iterator]() {
      for (const line of lines) if (numberOf(run, line) === number) yield unplaced(run, line);
    },
  };
}

/** The lines of a run as they are in another merged run that takes these shards from it. */
export function placedLines(
  run: Merged,
  lines: Iterable<Line>,
  shards: ReadonlyMap<number | undefined, Shard>,
): Iterable<Line> {
  return {
    *[Symbol.iterator]() {
      if (shards.size === 0) return;
      for (const line of lines) {
        const shard = shards.get(numberOf(run, line));
        if (shard) yield placed(unplaced(run, line), shard);
      }
    },
  };
}

/** A shard's line in the merged run: with numbers that are unique across shards, and with its machine. */
export function placed(line: Line, shard: Shard): Line {
  const { machine, number } = shard;
  return {
    ...renumbered(line, shard),
    machine,
    ...(line.sequence === undefined && { shard: number }),
  };
}

/** A shard's line, or an entry that holds a launch number, with the numbers that it has in the merged run. */
export function renumbered(line: Line, shard: Shard): Line {
  return recounted(line, (value) => inWhole(value, shard));
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

/** Lines without a sequence are in the order of their shards. */
export function byPlace(one: Line, other: Line): number {
  return (one.sequence ?? 0) - (other.sequence ?? 0) || (one.shard ?? 0) - (other.shard ?? 0);
}

/** The lines of a merge one by one, where each part is in the order of its sequence. */
export function* inOrder(parts: readonly Iterable<Line>[]): Generator<Line> {
  const open = parts.map((part) => part[Symbol.iterator]());
  try {
    const next = open.map((part) => part.next());
    for (;;) {
      let least = -1;
      for (const [place, each] of next.entries())
        if (!each.done && !(byPlace(each.value, next[least]?.value ?? each.value) > 0))
          least = place;
      const line = next[least];
      const part = open[least];
      if (!line || line.done || !part) return;
      yield line.value;
      next[least] = part.next();
    }
  } finally {
    for (const part of open) part.return?.();
  }
}
