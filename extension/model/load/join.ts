import { type Evidence, type EvidenceDepth, evidenceDepths } from './evidence.ts';
import type { Load, Resource } from './load.ts';
import { loadSchemaVersion } from './load.ts';
import type { Observation, ObservedDocument, Watch } from './observation.ts';
import { joinWarnings } from './join-warnings.ts';
import { pairStarts } from './pairing.ts';
import { toldResource } from './told-resource.ts';
import { foldHops } from './redirect-hop.ts';
import { foldTwins } from './twin-request.ts';
import { withoutParents } from './frame-document.ts';
import { nameWorkerFetches, workerFetchStatus } from './worker-fetch.ts';

/** One use of a resource, with what each witness told of it. */
export interface Use {
  /** The witness with the best clock: the page's entry where there is one. */
  first: Observation;
  told: Partial<Record<EvidenceDepth, Observation>>;
  /** Witnesses that saw a request for this URL which could not be paired for sure. */
  isAmbiguous: Set<EvidenceDepth>;
}

/** A witness tells within so long after a use has ended; only then does its silence say something, ms. */
const tellingMs = 1000;

/** What the instrument stored of one load. */
export interface LoadParts {
  document: ObservedDocument;
  observations: readonly Observation[];
  /** Of this tab. */
  watches: readonly Watch[];
  /** When it was read, wall clock, ms: a witness may still tell of what ended just before. Default: long after. */
  readAtMs?: number;
}

/**
 * Joins what the witnesses told of one load into its resources: per URL, in order and by nearest start, one to one. What
 * cannot be joined for sure stays apart, and the witness counts as absent there.
 */
export function joinLoad(parts: LoadParts): Load {
  const { document, observations, watches, readAtMs = Number.POSITIVE_INFINITY } = parts;
  const isCut = (each: Observation): boolean => wasCut(each, watches);
  const requests = foldHops(withoutParents(observations));
  const uses = joinUses(foldTwins(nameWorkerFetches(requests), isCut));
  const joined = uses.map((use) => ({ use, evidence: evidenceOf(use, uses, watches, readAtMs) }));
  const depths = evidenceDepths.filter((depth) =>
    watches.some((watch) => watch.depth === depth && covers(watch, document.startedAtMs, depth)),
  );
  return {
    schemaVersion: loadSchemaVersion,
    id: document.id,
    url: document.url,
    startedAt: new Date(document.startedAtMs).toISOString(),
    navigationType: document.navigationType,
    depths,
    domContentLoadedMs: document.domContentLoadedMs,
    loadMs: document.loadMs,
    resources: joined
      .map(({ use, evidence }) => toldResource(use, evidence, document.startedAtMs))
      .toSorted((one, other) => one.startMs - other.startMs)
      .map((resource, sequence): Resource => ({ ...resource, sequence })),
    warnings: joinWarnings(document, watches, lastEnd(uses)),
  };
}

/** A request that had not ended when its witness stopped watching: that nobody told of its end says nothing. */
function wasCut({ witness, startedAtMs, endedAtMs }: Observation, watches: readonly Watch[]) {
  if (endedAtMs !== null) return false;
  return watches.some(
    ({ depth, fromMs, toMs }) =>
      depth === witness && fromMs <= startedAtMs && toMs !== null && startedAtMs <= toMs,
  );
}

/** The uses that the witnesses tell of, witness after witness, in order of start. */
export function joinUses(observations: readonly Observation[]): Use[] {
  const places = new Map<string, Use[]>();
  for (const depth of evidenceDepths) {
    const told = observations.filter(({ witness }) => witness === depth);
    for (const [place, list] of Map.groupBy(told, placeOf)) addWitness(places, depth, place, list);
  }
  return [...new Set([...places.values()].flat())].toSorted((one, other) =>
    byStart(one.first, other.first),
  );
}

/** Characters of a data: URL that tell it from others; the rest is its body, and not every witness has it whole. */
const mostDataUrl = 2048;

/** Uses can only be the same at the same URL; a service worker's own fetches are uses of their own. */
function placeOf({ url, context }: Observation): string {
  const place = url.startsWith('data:') ? url.slice(0, mostDataUrl) : url;
  return context === 'service-worker' ? `worker ${place}` : place;
}

function addWitness(
  places: Map<string, Use[]>,
  depth: EvidenceDepth,
  place: string,
  list: Observation[],
): void {
  const there = candidatesFor(places, place, list)
    .filter(({ told }) => !told[depth])
    .toSorted((one, other) => byStart(one.first, other.first));
  // A use without an entry of its own is timed by its end, and most witnesses know nothing of it: it comes second.
  const entries = there.filter(({ first }) => !isShared(first));
  const shares = there.filter(({ first }) => isShared(first));
  const [late, timely] = split(list.toSorted(byStart), isLate);
  const [ofWorkers, ofPages] = split(timely, ({ context }) => context === 'worker');
  const inPages = pairUp(shares, depth, pairUp(entries, depth, ofPages));
  const unplaced = entries.filter(({ first }) => first.context === 'unknown');
  const left = [...inPages, ...pairUp(unplaced, depth, ofWorkers)];
  for (const observation of left) {
    if (observation.context !== 'worker') doubt(there, depth);
    const use: Use = { first: observation, told: { [depth]: observation }, isAmbiguous: new Set() };
    for (const each of placesOf(observation)) places.set(each, [...(places.get(each) ?? []), use]);
  }
  for (const observation of late) placeLate(there, depth, observation);
}

/** Uses at the URL that was asked for; and documents at the one where redirects led, because they name that. */
function candidatesFor(
  places: ReadonlyMap<string, Use[]>,
  place: string,
  list: readonly Observation[],
): Use[] {
  const finals = new Set(list.flatMap(placesOf));
  finals.delete(place);
  const documents = [...finals]
    .flatMap((each) => places.get(each) ?? [])
    .filter(({ first }) => first.facts.initiatorType === 'navigation');
  return [...new Set([...(places.get(place) ?? []), ...documents])];
}

/** One of these uses may be what the witness told of, so its silence on the others says nothing. */
function doubt(uses: readonly Use[], depth: EvidenceDepth): void {
  for (const use of uses) if (!use.told[depth]) use.isAmbiguous.add(depth);
}

/** The start was lost, so only a use during which the request was told of can be its own; without one it is left out. */
function placeLate(there: readonly Use[], depth: EvidenceDepth, observation: Observation): void {
  const open = there.filter(({ told, first }) => {
    const end = first.endedAtMs ?? Number.POSITIVE_INFINITY;
    const { startedAtMs: at } = observation;
    return !told[depth] && first.startedAtMs <= at && at <= end + tellingMs;
  });
  const [use] = open;
  if (use && open.length === 1) use.told[depth] = observation;
  else doubt(there, depth);
}

function isLate({ isStartUnknown }: Observation): boolean {
  return isStartUnknown === true;
}

/** Those that pass, and those that do not. */
function split<Item>(list: readonly Item[], passes: (item: Item) => boolean): [Item[], Item[]] {
  return [list.filter(passes), list.filter((item) => !passes(item))];
}

function isShared({ witness, evidence }: Observation): boolean {
  return witness === 'page' && evidence.timing === null && !evidence.isBackForwardRestore;
}

/** Gives each observation to its use, and returns those that have none. What two documents asked for is never one. */
function pairUp(uses: readonly Use[], depth: EvidenceDepth, observations: Observation[]) {
  const byDocument = Map.groupBy(observations, ({ documentId }) => documentId);
  return [...byDocument].flatMap(([documentId, list]) => {
    const own = uses.filter(({ first, told }) => !told[depth] && mayShare(first, documentId));
    const pairs = pairStarts(
      own.map(({ first }) => first.startedAtMs),
      list.map(({ startedAtMs }) => startedAtMs),
    );
    return list.filter((observation, index) => {
      const use = own[pairs[index] ?? -1];
      if (use) use.told[depth] = observation;
      return !use;
    });
  });
}

function mayShare(first: Observation, documentId: string | undefined): boolean {
  return (
    documentId === undefined || first.documentId === undefined || first.documentId === documentId
  );
}

/** A document's entry names where redirects led; the others name what was asked for. */
function placesOf(observation: Observation): string[] {
  const { finalUrl } = observation;
  const final = finalUrl === undefined ? [] : [placeOf({ ...observation, url: finalUrl })];
  return [placeOf(observation), ...final];
}

function byStart(one: Observation, other: Observation): number {
  return one.startedAtMs - other.startedAtMs;
}

/** null where a witness watched from before the use on, and has nothing that could belong to it. */
function evidenceOf(
  use: Use,
  uses: readonly Use[],
  watches: readonly Watch[],
  readAtMs: number,
): Evidence {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(use.first.url)?.[0].toLowerCase();
  const evidence: Evidence = scheme === undefined ? {} : { scheme };
  for (const depth of evidenceDepths) {
    const observation = use.told[depth];
    if (observation?.evidence) {
      const status = workerFetchStatus(use, uses, depth);
      Object.assign(evidence, {
        [depth]: {
          ...observation.evidence,
          ...(status === undefined ? {} : { serviceWorkerFetchStatus: status }),
        },
      });
    } else if (
      !observation &&
      readAtMs - endOf(use) > tellingMs &&
      sawNothing(use, uses, depth, watches)
    )
      evidence[depth] = null;
  }
  return evidence;
}

function lastEnd(uses: readonly Use[]): number {
  return uses.reduce((last, use) => Math.max(last, endOf(use)), Number.NEGATIVE_INFINITY);
}

function endOf({ first }: Use): number {
  return first.endedAtMs ?? first.startedAtMs;
}

function sawNothing(
  use: Use,
  uses: readonly Use[],
  depth: EvidenceDepth,
  watches: readonly Watch[],
): boolean {
  // The page cannot see its workers' requests, and a missing entry may still come.
  if (depth === 'page' || use.isAmbiguous.has(depth)) return false;
  if (use.first.context !== 'document' && use.first.context !== 'frame') return false;
  if (depth === 'webRequest' && !isToldOfOrigin(use, uses)) return false;
  return watches.some(
    (watch) => watch.depth === depth && covers(watch, use.first.startedAtMs, depth),
  );
}

/** chrome.webRequest tells only of sites that were granted: that it told of this origin at all shows that it can. */
function isToldOfOrigin(use: Use, uses: readonly Use[]): boolean {
  const origin = originOf(use.first.url);
  return uses.some(({ told, first }) => told.webRequest && originOf(first.url) === origin);
}

function originOf(url: string): string {
  return /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** The page's own entries are buffered, so a page that is watched late was watched from its start. */
function covers({ fromMs, toMs }: Watch, timeMs: number, depth: EvidenceDepth): boolean {
  return (depth === 'page' || fromMs <= timeMs) && (toMs === null || timeMs <= toMs);
}
