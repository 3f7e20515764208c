import { slackMs } from './join-parts.ts';

/** From when until when something was under way, ms. */
export interface Span {
  startMs: number;
  /** Infinity while it still is, or when nobody told. */
  endMs: number;
  /** The end is that of the response's last byte, so a use's is told no later than its request's. */
  isEndSure: boolean;
}

/** Page and browser may stamp what was one so far apart when their threads had to wait, ms. */
const reachMs = 250;

/** Indices of what belongs to each other for sure, and of what overlaps nothing on the other side. */
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
 * Pairs uses of one URL with the requests that they made, by what is certain: a request begins while its use is under
 * way and ends no earlier than it, and requests begin in the order of their uses. How late a request is seen says
 * nothing: a busy browser sees it seconds after the page asked for it.
 *
 * Where uses and requests overlap, one side may be incomplete: a use that made no request, a request of which no use was
 * told. So the shorter side is placed in the longer one, and only pairs that every such placement has are made. Better
 * no pair than a wrong one. Both lists are in order (`bySpan`). Returns indices.
 */
export function pairRequests(
  uses: readonly Span[],
  requests: readonly Span[],
): [use: number, request: number][] {
  const { pairs, aloneUses, aloneRequests } = pairOverlapping(uses, requests, slackMs);
  // What the browser itself asked for (a worker's script) may be older than the page's word of it.
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

/** Nothing is concluded from an end that nobody told. */
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
  return !use.isEndSure || !request.isEndSure || request.endMs >= use.endMs - slack;
}

function isDuring({ startMs, endMs }: Span, timeMs: number, slack: number): boolean {
  return startMs - slack <= timeMs && timeMs <= endMs + slack;
}

/** Orders by start, and by end where two starts are equal. */
export function bySpan(one: Span, other: Span): number {
  if (one.startMs !== other.startMs) return one.startMs - other.startMs;
  return one.endMs === other.endMs ? 0 : one.endMs - other.endMs;
}

/** Two requests are in one group when a use was under way as both began. */
function overlapping(uses: readonly Span[], requests: readonly Span[], slack: number): Group[] {
  const groups: Group[] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  let use = 0;
  for (const [request, { startMs: timeMs }] of requests.entries()) {
    const known = timeMs <= untilMs ? groups.at(-1) : undefined;
    const group = known ?? { uses: [], requests: [] };
    if (!known) groups.push(group);
    group.requests.push(request);
    for (let next = uses[use]; next && next.startMs - slack <= timeMs; next = uses[++use]) {
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

/** What the earliest and the latest way to place one list in the other, in order, have in common: so have all. */
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

/** Each at the first place that is left for it; none when not all can be placed. */
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

/** Whether a use and a request may be one, as far as time alone tells. */
export function areNear(one: Span, other: Span): boolean {
  return one.startMs <= other.endMs + reachMs && other.startMs <= one.endMs + reachMs;
}
