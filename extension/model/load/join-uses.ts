import { keptUrl } from './kept-url.ts';
import { type EvidenceDepth, evidenceDepths } from '../attribution/evidence.ts';
import { lateMs, slackMs } from './load-span.ts';
import type { Observation } from './observation.ts';
import { areNear, bySpan, pairRequests, type Span } from './pairing.ts';
import type { Use } from './use.ts';
import { isShared, mayHaveAsked, spanOfRequest, spanOfUse } from './use-span.ts';

/** The uses that the witnesses observed, in order of start. Witnesses are joined one after another. */
export function joinUses(observations: readonly Observation[]): Use[] {
  const places = new Map<string, Use[]>();
  for (const depth of evidenceDepths) {
    const own = observations.filter(({ witness }) => witness === depth);
    for (const [place, list] of Map.groupBy(own, placeOf)) addWitness(places, depth, place, list);
  }
  return [...new Set([...places.values()].flat())].toSorted((one, other) =>
    byStart(one.first, other.first),
  );
}

/** Observations can be the same use only at the same URL. A service worker's own fetches are separate uses. */
function placeOf({ url, context }: Observation): string {
  const place = keptUrl(url);
  return context === 'service-worker' ? `worker ${place}` : place;
}

function addWitness(
  places: Map<string, Use[]>,
  depth: EvidenceDepth,
  place: string,
  list: Observation[],
): void {
  const there = candidatesFor(places, place, list)
    .filter(({ byWitness }) => !byWitness[depth])
    .toSorted((one, other) => byStart(one.first, other.first));
  // A use without its own entry has only an end time, and most witnesses do not see it: such uses are paired second.
  const [shares, entries] = split(there, ({ first }) => isShared(first));
  const [late, timely] = split(list, ({ isStartUnknown }) => isStartUnknown === true);
  const [ofWorkers, ofPages] = split(timely, ({ context }) => context === 'worker');
  const inPages = pairUp(shares, depth, pairUp(entries, depth, ofPages));
  const unplaced = entries.filter(({ first }) => first.context === 'unknown');
  // Imports of a module worker are reported as requests of its document.
  const imports = entries.filter(({ first }) => first.facts.type === 'script');
  const inWorkers = pairUp(imports, depth, pairUp(unplaced, depth, ofWorkers));
  const left = [...inPages, ...inWorkers, ...pairLate(there, depth, late)];
  const lone = left.map((first): Use => ({
    first,
    byWitness: { [depth]: first },
    doubtful: new Set(),
  }));
  doubt(lone, there, depth);
  for (const use of lone) {
    for (const each of placesOf(use.first)) {
      const known = places.get(each);
      if (known) known.push(use);
      else places.set(each, [use]);
    }
  }
}

/**
 * Uses at the requested URL, and documents at the URL that redirects led to, because a document's entry names that URL.
 */
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

/**
 * Each unpaired observation may belong to a nearby use: then neither witness's silence is evidence about the other's
 * row.
 */
function doubt(lone: readonly Use[], there: readonly Use[], depth: EvidenceDepth): void {
  const unpaired = there
    .filter(({ byWitness, first }) => !byWitness[depth] && mayHaveAsked(first, depth))
    .map((use) => ({ use, span: spanOfUse(use.first) }));
  for (const one of lone) {
    if (one.first.context === 'worker') continue;
    const span = spanOfRequest(one.first);
    for (const other of unpaired) {
      if (!areNear(span, other.span)) continue;
      other.use.doubtful.add(depth);
      one.doubtful.add(other.use.first.witness);
    }
  }
}

/**
 * The start is unknown, so only a use that was in progress when the request was reported can be its own. Returns the
 * observations for which no use was in progress. If several uses were, the request may belong to any of them and gets
 * no row of its own.
 */
function pairLate(there: readonly Use[], depth: EvidenceDepth, late: Observation[]): Observation[] {
  return late.filter((observation) => {
    const { startedAtMs: atMs, documentId } = observation;
    const open = there.filter(({ byWitness, first }) => {
      if (byWitness[depth] || !mayShare(first, documentId) || !mayHaveAsked(first, depth))
        return false;
      const { startMs, endMs } = spanOfUse(first);
      return startMs - slackMs <= atMs && atMs <= endMs + lateMs;
    });
    const [use] = open;
    if (use && open.length === 1) use.byWitness[depth] = observation;
    else for (const each of open) each.doubtful.add(depth);
    return open.length === 0;
  });
}

/** Those that pass, and those that do not. */
function split<Item>(list: readonly Item[], passes: (item: Item) => boolean): [Item[], Item[]] {
  return [list.filter(passes), list.filter((item) => !passes(item))];
}

/**
 * Assigns each observation to its use, and returns those without one. Requests of two documents are never one use. Those
 * that name no document come last: they could take the use of one that does.
 */
function pairUp(
  uses: readonly Use[],
  depth: EvidenceDepth,
  observations: readonly Observation[],
): Observation[] {
  const byDocument = [...Map.groupBy(observations, ({ documentId }) => documentId)];
  const [named, unnamed] = split(byDocument, ([documentId]) => documentId !== undefined);
  return [...named, ...unnamed].flatMap(([documentId, list]) => {
    const own = uses.filter(
      ({ first, byWitness }) =>
        !byWitness[depth] && mayShare(first, documentId) && mayHaveAsked(first, depth),
    );
    const asking = inOrder(own, ({ first }) => spanOfUse(first));
    const asked = inOrder(list, spanOfRequest);
    const pairs = pairRequests(
      asking.map(({ span }) => span),
      asked.map(({ span }) => span),
    );
    const left = new Set(list);
    for (const [place, index] of pairs) {
      const observation = asked[index]?.item;
      const use = asking[place]?.item;
      if (!use || !observation) continue;
      use.byWitness[depth] = observation;
      left.delete(observation);
    }
    return [...left];
  });
}

function inOrder<Item>(list: readonly Item[], spanOf: (item: Item) => Span) {
  return list
    .map((item) => ({ item, span: spanOf(item) }))
    .toSorted((one, other) => bySpan(one.span, other.span));
}

function mayShare(first: Observation, documentId: string | undefined): boolean {
  return (
    documentId === undefined || first.documentId === undefined || first.documentId === documentId
  );
}

/** A document's entry names the URL that redirects led to; other entries name the requested URL. */
function placesOf(observation: Observation): string[] {
  const { finalUrl } = observation;
  const final = finalUrl === undefined ? [] : [placeOf({ ...observation, url: finalUrl })];
  return [placeOf(observation), ...final];
}

function byStart(one: Observation, other: Observation): number {
  return one.startedAtMs - other.startedAtMs;
}
