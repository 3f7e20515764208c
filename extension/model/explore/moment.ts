import { knownSum } from '../extremes.ts';
import { type Load, type Resource, responseUrl } from '../load/load.ts';
import type { ExploreRun, ExploreRunDocument, LabAction } from './run.ts';

/** What the log of actions says of the cache when a resource was read; null: an action was changing it, or had failed. */
export type CacheState =
  | 'first use'
  | 'used before'
  | 'page cache dropped'
  | 'relaunched'
  | 'HTTP cache cleared';

/** The conditions while one resource was read. */
export interface Moment {
  /** Requested read delay, ms; null: no slow device, or it changed meanwhile, or is unknown after a failed change. */
  delayMs: number | null;
  cacheState: CacheState | null;
  /**
   * Reads that the device completed meanwhile, those for neighbouring resources included: an upper bound, and only 0 is
   * conclusive. null: unknown.
   */
  deviceReads: number | null;
}

/** ms since 1970. An unknown end is Infinity: whatever follows may concern it. */
interface Span {
  from: number;
  to: number;
}

/** The span of a resource; a load of unknown start has NaN, which nothing precedes or overlaps. */
function spanOf(load: Pick<Load, 'startedAt'>, resource?: Resource): Span {
  const from = Date.parse(load.startedAt) + (resource?.startMs ?? 0);
  if (!resource) return { from, to: from };
  return { from, to: from + (resource.durationMs ?? Infinity) };
}

function spanOfAction({ startedAt, endedAt }: LabAction): Span {
  return { from: Date.parse(startedAt), to: Date.parse(endedAt) };
}

/** How the spans lie to each other; touching spans do not overlap, except at the start of `one`. */
function isBefore(one: Span, other: Span): boolean {
  return one.to <= other.from;
}
function isAfter(one: Span, other: Span): boolean {
  return one.from > other.from && one.from >= other.to;
}

/** The delay in force during all of a span. */
function delayDuring({ plan, actions }: ExploreRun, span: Span): number | null {
  if (Number.isNaN(span.from)) return null;
  let { delayMs } = plan;
  for (const action of actions) {
    const at = spanOfAction(action);
    if (action.kind !== 'delay' || isAfter(at, span)) continue;
    if (!isBefore(at, span)) return null;
    delayMs = action.delayMs ?? null;
  }
  return delayMs;
}

/** The state in which an action leaves the cache; with nbd-delay the browser restarts for a new delay. */
function stateAfter({ kind }: LabAction, { plan }: ExploreRun): CacheState | null {
  if (kind === 'clear-http-cache') return 'HTTP cache cleared';
  if (kind === 'drop-page-cache') return 'page cache dropped';
  return kind === 'relaunch' || plan.storage === 'nbd-delay' ? 'relaunched' : null;
}

/** By rising effect: a later one includes those before it. */
const byEffect: readonly CacheState[] = [
  'used before',
  'page cache dropped',
  'relaunched',
  'HTTP cache cleared',
];

function cacheStateAt(run: ExploreRun, span: Span, earlier: readonly number[]): CacheState | null {
  if (Number.isNaN(span.from)) return null;
  const previous = earlier.findLast((at) => at < span.from);
  const changes = run.actions.filter(
    (action) =>
      stateAfter(action, run) !== null &&
      !isAfter(spanOfAction(action), span) &&
      Date.parse(action.endedAt) > (previous ?? -Infinity),
  );
  const isUnknown = ({ problem, ...action }: LabAction): boolean =>
    problem !== undefined || !isBefore(spanOfAction(action), span);
  if (changes.some(isUnknown)) return null;
  if (previous === undefined) return 'first use';
  const states = new Set(changes.map((action) => stateAfter(action, run)));
  return byEffect.findLast((state) => states.has(state)) ?? 'used before';
}

/** Reads in all recorded spans that overlap this one. */
function readsDuring({ device, run }: ExploreRunDocument, span: Span): number | null {
  if (!device || !Number.isFinite(span.to)) return null;
  const last = device.at(-1);
  const isRecorded = last !== undefined && Date.parse(run.endedAt ?? last.endedAt) >= span.to;
  if (!isRecorded) return null;
  const own = device.filter(
    (each) => Date.parse(each.startedAt) < span.to && Date.parse(each.endedAt) > span.from,
  );
  return knownSum(own.map(({ reads }) => reads));
}

/** Finds the conditions of each resource's own moment, from the log of actions. */
export function momentsOf(
  document: ExploreRunDocument,
): (load: Load, resource: Resource) => Moment {
  const { run, loads } = document;
  const uses = Map.groupBy(
    loads.flatMap((load) =>
      load.resources.map((resource) => ({
        url: responseUrl(resource),
        at: spanOf(load, resource).from,
      })),
    ),
    ({ url }) => url,
  );
  const startsOf = new Map(
    [...uses].map(([url, own]) => [url, own.map(({ at }) => at).toSorted((a, b) => a - b)]),
  );
  return (load, resource) => {
    const span = spanOf(load, resource);
    return {
      delayMs: delayDuring(run, span),
      cacheState: cacheStateAt(run, span, startsOf.get(responseUrl(resource)) ?? []),
      deviceReads: readsDuring(document, span),
    };
  };
}

/** The known delays during a load, from its start on, in order; empty: unknown, or there is no slow device. */
export function delaysOfLoad(run: ExploreRun, load: Load): number[] {
  const spans = [spanOf(load), ...load.resources.map((resource) => spanOf(load, resource))];
  const inOrder = spans.toSorted((one, other) => one.from - other.from);
  return [...new Set(inOrder.flatMap((span) => delayDuring(run, span) ?? []))];
}
