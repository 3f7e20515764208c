import type { AttributedResource } from '../attribution/attributed-resource.ts';

/** How two uses of one URL differ. `appeared` and `vanished` never occur together with another change. */
export const resourceChanges = ['appeared', 'vanished', 'source', 'time', 'size'] as const;
export type ResourceChange = (typeof resourceChanges)[number];

/** One URL in two loads. At least one of `before` and `after` is not null. */
export interface ComparedResource {
  url: string;
  before: AttributedResource | null;
  after: AttributedResource | null;
  /** Empty when nothing changed. */
  changes: ResourceChange[];
  /** After minus before, ms; null when either is unknown. */
  durationMs: number | null;
  /** After minus before, bytes transferred over the network; null when either is unknown. */
  transferredBytes: number | null;
}

/**
 * Two durations differ when the difference is at least this long, ms, and at least this share of the longer one. With
 * one load each, a smaller difference may be chance.
 */
const leastMs = 5;
const leastShare = 0.2;

/**
 * Compares two loads by method and URL: the first use with the first, the second with the second. Rows are in the order
 * of the second load; vanished resources come last.
 */
export function compareLoads(
  before: readonly AttributedResource[],
  after: readonly AttributedResource[],
): ComparedResource[] {
  const waiting = new Map<string, AttributedResource[]>();
  for (const row of before) {
    const key = keyOf(row);
    const queue = waiting.get(key);
    if (queue) queue.push(row);
    else waiting.set(key, [row]);
  }
  for (const queue of waiting.values()) queue.reverse();
  const matched = after.map((row) => compared(waiting.get(keyOf(row))?.pop() ?? null, row));
  const left = new Set([...waiting.values()].flat());
  return [...matched, ...before.filter((row) => left.has(row)).map((row) => compared(row, null))];
}

/** How many resources moved from one source to another, most frequent first. */
export function countMoves(
  pairs: readonly ComparedResource[],
): { from: string; to: string; count: number }[] {
  const moves = new Map<string, { from: string; to: string; count: number }>();
  for (const { before, after, changes } of pairs) {
    if (!before || !after || !changes.includes('source')) continue;
    const from = before.attribution.source;
    const to = after.attribution.source;
    const key = `${from} ${to}`;
    const move = moves.get(key) ?? { from, to, count: 0 };
    moves.set(key, { from, to, count: move.count + 1 });
  }
  return [...moves.values()].toSorted((one, other) => other.count - one.count);
}

function keyOf({ resource }: AttributedResource): string {
  return `${resource.method ?? 'GET'} ${resource.url}`;
}

function compared(
  before: AttributedResource | null,
  after: AttributedResource | null,
): ComparedResource {
  const url = (after ?? before)?.resource.url ?? '';
  const durationMs = difference(before?.resource.durationMs, after?.resource.durationMs);
  const transferredBytes = difference(
    before?.resource.transferredBytes,
    after?.resource.transferredBytes,
  );
  const pair = { url, before, after, durationMs, transferredBytes };
  return { ...pair, changes: changesOf(pair) };
}

function changesOf(pair: Omit<ComparedResource, 'changes'>): ResourceChange[] {
  const { before, after } = pair;
  if (!before) return ['appeared'];
  if (!after) return ['vanished'];
  const found: Record<'source' | 'time' | 'size', boolean> = {
    source:
      before.attribution.source !== after.attribution.source ||
      before.attribution.detail !== after.attribution.detail,
    time: isSlowerOrFaster(pair.durationMs, before, after),
    size: isOther(before, after, 'encodedBytes') || isOther(before, after, 'decodedBytes'),
  };
  return (['source', 'time', 'size'] as const).filter((change) => found[change]);
}

function isSlowerOrFaster(
  deltaMs: number | null,
  before: AttributedResource,
  after: AttributedResource,
): boolean {
  if (deltaMs === null) return false;
  const longer = Math.max(before.resource.durationMs ?? 0, after.resource.durationMs ?? 0);
  return Math.abs(deltaMs) >= leastMs && Math.abs(deltaMs) >= leastShare * longer;
}

/** Whether the resource itself changed. Bytes that a cache saved show as a change of source, not of size. */
function isOther(
  before: AttributedResource,
  after: AttributedResource,
  field: 'encodedBytes' | 'decodedBytes',
): boolean {
  const delta = difference(before.resource[field], after.resource[field]);
  return delta !== null && delta !== 0;
}

function difference(
  before: number | null | undefined,
  after: number | null | undefined,
): number | null {
  if (before === null || before === undefined || after === null || after === undefined) return null;
  return after - before;
}
