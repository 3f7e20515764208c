import { verdictName } from '../attribution/answer.ts';
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
  const earlier = new Map<AttributedResource, AttributedResource>();
  const taken = new Set<AttributedResource>();
  const pair = (ones: readonly AttributedResource[], others: typeof ones, keyOf: KeyOf): void => {
    // The first use comes last in its list, from which pop() takes it.
    const left = ones.filter((row) => !taken.has(row)).toReversed();
    const waiting = Map.groupBy(left, keyOf);
    for (const row of others) {
      const found = earlier.has(row) ? undefined : waiting.get(keyOf(row))?.pop();
      if (!found) continue;
      earlier.set(row, found);
      taken.add(found);
    }
  };
  pair(before, after, ({ resource: { method, url } }) => `${method ?? ''} ${url}`);
  // Resource Timing has no method.
  pair(before.filter(lacksMethod), after, urlOf);
  pair(before, after.filter(lacksMethod), urlOf);
  return [
    ...after.map((row) => compared(earlier.get(row) ?? null, row)),
    ...before.filter((row) => !taken.has(row)).map((row) => compared(row, null)),
  ];
}

type KeyOf = (row: AttributedResource) => string;
const urlOf: KeyOf = ({ resource }) => resource.url;
const lacksMethod = ({ resource }: AttributedResource): boolean => resource.method === null;

/** How many resources moved from one source, with its detail, to another, most frequent first. */
export function countMoves(
  pairs: readonly ComparedResource[],
): { from: string; to: string; count: number }[] {
  const moves = new Map<string, { from: string; to: string; count: number }>();
  for (const { before, after, changes } of pairs) {
    if (!before || !after || !changes.includes('source')) continue;
    const [from, to] = [verdictName(before.attribution), verdictName(after.attribution)];
    const key = `${from} ${to}`;
    moves.set(key, { from, to, count: (moves.get(key)?.count ?? 0) + 1 });
  }
  return [...moves.values()].toSorted((one, other) => other.count - one.count);
}

type Row = AttributedResource | null;

function compared(before: Row, after: Row): ComparedResource {
  return {
    url: (after ?? before)?.resource.url ?? '',
    before,
    after,
    changes: changesOf(before, after),
    durationMs: difference(before, after, 'durationMs'),
    transferredBytes: difference(before, after, 'transferredBytes'),
  };
}

function changesOf(before: Row, after: Row): ResourceChange[] {
  if (!before) return ['appeared'];
  if (!after) return ['vanished'];
  const [was, is] = [before.attribution, after.attribution];
  const changes: ResourceChange[] = [];
  if (was.source !== is.source || was.detail !== is.detail) changes.push('source');
  if (isSlowerOrFaster(before, after)) changes.push('time');
  // Whether the resource itself changed. Bytes that a cache saved show as a change of source, not of size.
  if (difference(before, after, 'encodedBytes') || difference(before, after, 'decodedBytes'))
    changes.push('size');
  return changes;
}

function isSlowerOrFaster(before: AttributedResource, after: AttributedResource): boolean {
  const apartMs = Math.abs(difference(before, after, 'durationMs') ?? 0);
  const longer = Math.max(before.resource.durationMs ?? 0, after.resource.durationMs ?? 0);
  return apartMs >= leastMs && apartMs >= leastShare * longer;
}

/** After minus before; null when either is unknown. */
function difference(
  before: Row,
  after: Row,
  field: 'durationMs' | 'transferredBytes' | 'encodedBytes' | 'decodedBytes',
): number | null {
  const [was = null, is = null] = [before?.resource[field], after?.resource[field]];
  return was === null || is === null ? null : is - was;
}
