import { slackMs } from './load-span.ts';

/** The period in which a use or request was in progress, ms. */
export interface Span {
  startMs: number;
  /** Infinity while it is in progress, or when the end is unknown. */
  endMs: number;
  /**
   * The end is that of the response's last byte. Such an end of a use is reported no later than the end of its request.
   */
  isEndSure: boolean;
  /** Of a use: its request began no later than this. Absent: no later than `endMs`. */
  askedByMs?: number;
  /** Of a use: its start is unknown, and its request may have begun so long before `startMs`. Absent: 0. */
  leadMs?: number;
}

/** Page and browser may timestamp one event this far apart when their threads had to wait, ms. */
const reachMs = 250;

/** Indices of certain pairs, and of uses and requests that overlap nothing on the other side. */
interface Pairing {
  pairs: [use: number, request: number][];
  aloneUses: number[];
  aloneRequests: number[];
}

interface Group {
  uses: number[];
  requests: number[];
}

/**
 * Pairs uses of one URL with the requests that they made, using only what is certain: a request begins during its use
 * and ends no earlier than the use, and requests begin in the order of their uses. The delay before a request is seen
 * is no evidence: a busy browser may see it seconds after the page made it.
 *
 * Where uses and requests overlap, one side may be incomplete: a use without a request, or a request whose use was not
 * reported. So the shorter list is placed in the longer one in order, and only the pairs common to all placements are
 * made. No pair is better than a wrong pair. Both lists are in order (`bySpan`). Returns indices.
 */
export function pairRequests(
  uses: readonly Span[],
  requests: readonly Span[],
): [use: number, request: number][] {
  const { pairs, aloneUses, aloneRequests } = pairOverlapping(uses, requests, slackMs);
  // A request that the browser itself made (for a worker's script) may be earlier than the page's report of it.
  const open = aloneRequests.flatMap((each) => closed(requests[each]));
  const begun = aloneUses.flatMap((each) => closed(uses[each]));
  const rest = pairOverlapping(open, begun, reachMs);
  return [
    ...pairs,
    ...rest.pairs.map(([request, use]): [number, number] => [
      aloneUses[use] ?? -1,
      aloneRequests[request] ?? -1,
    ]),
  ];
}

/** Replaces an unknown end by the start: nothing is concluded from it. */
function closed(span: Span | undefined): Span[] {
  if (!span) return [];
  return [
    { ...span, endMs: Number.isFinite(span.endMs) ? span.endMs : span.startMs, isEndSure: false },
  ];
}

function pairOverlapping(uses: readonly Span[], requests: readonly Span[], slack: number): Pairing {
  const fits = (use: number, request: number): boolean =>
    mayBeOne(uses[use], requests[request], slack);
  const pairing: Pairing = { pairs: [], aloneUses: [], aloneRequests: [] };
  const grouped = new Set<number>();
  for (const group of overlapping(uses, requests, slack)) {
    if (group.uses.length === 0) pairing.aloneRequests.push(...group.requests);
    for (const use of group.uses) grouped.add(use);
    for (const pair of certainPairs(group, fits)) pairing.pairs.push(pair);
  }
  pairing.aloneUses = [...uses.keys()].filter((use) => !grouped.has(use));
  return pairing;
}

function mayBeOne(use: Span | undefined, request: Span | undefined, slack: number): boolean {
  if (!use || !request || !isDuring(use, request.startMs, slack)) return false;
  if (request.startMs > (use.askedByMs ?? use.endMs) + slack) return false;
  return !use.isEndSure || !request.isEndSure || request.endMs >= use.endMs - slack;
}

function isDuring(span: Span, timeMs: number, slack: number): boolean {
  return earliestMs(span) - slack <= timeMs && timeMs <= span.endMs + slack;
}

function earliestMs({ startMs, leadMs = 0 }: Span): number {
  return startMs - leadMs;
}

/** Orders by start, and by end if two starts are equal. */
export function bySpan(one: Span, other: Span): number {
  if (one.startMs !== other.startMs) return one.startMs - other.startMs;
  return one.endMs === other.endMs ? 0 : one.endMs - other.endMs;
}

/** Two requests are in one group when one use was in progress when both began. */
function overlapping(uses: readonly Span[], requests: readonly Span[], slack: number): Group[] {
  const groups: Group[] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  let use = 0;
  for (const [request, { startMs: timeMs }] of requests.entries()) {
    const known = timeMs <= untilMs ? groups.at(-1) : undefined;
    const group = known ?? { uses: [], requests: [] };
    if (!known) groups.push(group);
    group.requests.push(request);
    for (let next = uses[use]; next && earliestMs(next) - slack <= timeMs; next = uses[++use]) {
      if (!isDuring(next, timeMs, slack)) continue;
      group.uses.push(use);
      untilMs = Math.max(untilMs, next.endMs + slack);
    }
  }
  return groups;
}

function certainPairs(
  { uses, requests }: Group,
  fits: (use: number, request: number) => boolean,
): [use: number, request: number][] {
  if (uses.length < requests.length) return certainPlaces(uses, requests, fits);
  const placed = certainPlaces(requests, uses, (request, use) => fits(use, request));
  return placed.map(([request, use]) => [use, request]);
}

/**
 * The pairs that the earliest and the latest placement of one list in the other, in order, share: all placements have
 * them.
 */
function certainPlaces(
  short: readonly number[],
  long: readonly number[],
  fits: (short: number, long: number) => boolean,
): [short: number, long: number][] {
  const earliest = places(short, long, fits);
  const latest = places(short.toReversed(), long.toReversed(), fits).toReversed();
  return short.flatMap((each, index): [number, number][] => {
    const place = earliest[index];
    return place !== undefined && place === latest[index] ? [[each, place]] : [];
  });
}

/** Places each item at the first free position that fits; empty when not all can be placed. */
function places(
  short: readonly number[],
  long: readonly number[],
  fits: (short: number, long: number) => boolean,
): number[] {
  const taken: number[] = [];
  let next = 0;
  for (const each of short) {
    while (next < long.length && !fits(each, long[next] ?? -1)) next++;
    const place = long[next++];
    if (place === undefined) return [];
    taken.push(place);
  }
  return taken;
}

/** Whether a use and a request may be the same, judged by time alone. */
export function areNear(one: Span, other: Span): boolean {
  return one.startMs <= other.endMs + reachMs && other.startMs <= one.endMs + reachMs;
}
