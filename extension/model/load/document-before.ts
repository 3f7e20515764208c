import type { EvidenceDepth } from '../attribution/evidence.ts';
import { least } from '../extremes.ts';
import { withoutFragment } from '../web-url.ts';
import { endOfLoad, slackMs } from './load-span.ts';
import type { Observation, ObservedDocument } from './observation.ts';

/**
 * The time of an observation, ms, by which its load is found. A document still makes requests while the navigation to the
 * next one waits for its response; and where clocks could differ by more than its distance from a load's start, the order
 * that its witness reports decides. A request of the document before gets a time before the load.
 */
export function timesByOrder(
  siblings: readonly ObservedDocument[],
  observations: readonly Observation[],
): (observation: Observation) => number {
  const startOf = new Map(observations.map(({ key, startedAtMs }) => [key, startedAtMs]));
  const newestFirst = siblings.toSorted((one, other) => other.startedAtMs - one.startedAtMs);
  const navigationUrls = new Map(
    observations.filter(isPageNavigation).map(({ documentId, url }) => [documentId, url]),
  );
  const owners = new Set(siblings.map(({ documentId }) => documentId));
  const tab = { siblings, owners, observations, startOf, navigationUrls, answers: new Map() };
  return (each) => {
    const { startedAtMs: time } = each;
    const load = newestFirst.find(({ startedAtMs }) => startedAtMs - slackMs <= time);
    return load && isOfDocumentBefore(each, load, tab) ? load.startedAtMs - slackMs - 1 : time;
  };
}

/** The observations of a tab, as context. */
interface Tab {
  siblings: readonly ObservedDocument[];
  /** documentId of each load: every other document is of a frame. */
  owners: ReadonlySet<string>;
  observations: readonly Observation[];
  /** When each observation started, by its key, wall clock, ms. */
  startOf: ReadonlyMap<string, number>;
  /** URL of the navigation to each document that reported its own, after redirects, by documentId. */
  navigationUrls: ReadonlyMap<string | undefined, string>;
  /** `answeredAtMs` by load and witness. */
  answers: Map<string, number | null>;
}

/**
 * Whether a request in the time of a load is of the document before: its document is another and was asked for before
 * the load, its witness saw the load's document asked for or answered later, or it fetched that document ahead
 * (speculation rules).
 */
function isOfDocumentBefore(each: Observation, load: ObservedDocument, tab: Tab): boolean {
  const { siblings, owners, observations, startOf } = tab;
  const {
    key,
    witness,
    documentId = '',
    facts,
    navigationKey,
    redirectsTo,
    startedAtMs: time,
  } = each;
  const isNear = time - load.startedAtMs <= slackMs;
  const namesLoad = owners.has(documentId);
  // Only a restore has to be told from earlier loads of the same document.
  if (namesLoad && !isNear) return false;
  const untilMs = navigationUntilMs(load, siblings);
  const isBefore = time < load.startedAtMs;
  if (isBefore && isPrefetch(each, observations, untilMs)) return true;
  const isNavigation = isNear || redirectsTo !== undefined || isDocumentOf(each, load, tab);
  if (facts.type === 'document' && navigationKey === undefined && isNavigation) return false;
  if (navigationKey === key || isFetchedByWorker(each, load, tab)) return false;
  const askedMs = startOf.get(navigationKey ?? '');
  if (askedMs !== undefined) {
    const first = firstLoadOf(load, siblings);
    // A restored document asks under the navigation of its first load, however long ago that was.
    if (askedMs >= first.startedAtMs - slackMs && askedMs < endOfLoad(first, siblings) - slackMs)
      return false;
    return askedMs < load.startedAtMs - slackMs;
  }
  // Until its response comes, the load has no document, and no frame, that could ask for anything.
  const answeredMs = answeredAtMs(load, witness, untilMs, tab);
  if (answeredMs !== null && !namesLoad) return time < answeredMs;
  if (navigationKey !== undefined) return isBefore;
  const documentAskedMs = askedForAtMs(load, witness, untilMs, tab);
  return time < documentAskedMs && documentAskedMs < Number.POSITIVE_INFINITY;
}

/**
 * Until when a load's document can have been asked for, wall clock, ms. A later request for it is another: a reload that
 * was stopped or became a download made no document.
 */
function navigationUntilMs(load: ObservedDocument, siblings: readonly ObservedDocument[]): number {
  const { startedAtMs, timeOriginMs, navigationType, domContentLoadedMs } = load;
  // A restored or prerendered document was asked for before its load.
  if (navigationType === 'back-forward-cache' || timeOriginMs !== undefined) {
    return Number.NEGATIVE_INFINITY;
  }
  const builtMs = domContentLoadedMs ?? Number.POSITIVE_INFINITY;
  return Math.min(endOfLoad(load, siblings) - slackMs, startedAtMs + builtMs + slackMs);
}

/**
 * When a witness saw the response to a load's navigation begin; null: it did not. Wall clock, ms. The page's own time
 * counts where it is earlier: early hints, whose preloads do not wait for the response (RFC 8297), and a document that was
 * fetched ahead, for which DevTools repeats the times of that request.
 */
function answeredAtMs(
  load: ObservedDocument,
  witness: EvidenceDepth,
  untilMs: number,
  tab: Tab,
): number | null {
  const { observations, answers } = tab;
  const known = answers.get(`${load.id} ${witness}`);
  if (known !== undefined) return known;
  const responses = observations.filter(
    (each) => each.responseStartedAtMs !== undefined && isWithin(each, load, untilMs),
  );
  const firstOf = (some: readonly Observation[]): number =>
    least(some.map(({ responseStartedAtMs = Number.POSITIVE_INFINITY }) => responseStartedAtMs));
  const seen = firstOf(
    responses.filter((each) => each.witness === witness && isDocumentOf(each, load, tab)),
  );
  const byPage = firstOf(
    responses.filter((each) => each.documentId === load.documentId && isPageNavigation(each)),
  );
  const answeredMs = byPage < seen - slackMs ? byPage - slackMs : seen;
  // chrome.webRequest reports no time of a response.
  const isKnown = seen < Number.POSITIVE_INFINITY || witness === 'webRequest';
  const result = isKnown && answeredMs < Number.POSITIVE_INFINITY ? answeredMs : null;
  answers.set(`${load.id} ${witness}`, result);
  return result;
}

/** Whether it is the request for a load's document, or the last hop of it. */
function isDocumentOf(each: Observation, load: ObservedDocument, tab: Tab): boolean {
  const { facts, redirectsTo, finalUrl = each.url } = each;
  const isLast = facts.type === 'document' && redirectsTo === undefined;
  return isLast && finalUrl === requestedUrl(load, tab);
}

/** Whether it is a service worker's own fetch of a load's document, which comes before any response. */
function isFetchedByWorker(
  { witness, context, url }: Observation,
  load: ObservedDocument,
  tab: Tab,
): boolean {
  if (url !== requestedUrl(load, tab)) return false;
  if (context === 'service-worker') return true;
  return (
    witness === 'devtools' &&
    tab.observations.some(
      (each) =>
        each.witness === 'devtools' &&
        each.evidence.fetchedViaServiceWorker &&
        each.startedAtMs >= load.startedAtMs - slackMs &&
        isDocumentOf(each, load, tab),
    )
  );
}

/** URL at which a load's document was requested. The load's own URL is its latest: the page may have set it (History API). */
function requestedUrl({ documentId, url }: ObservedDocument, { navigationUrls }: Tab) {
  return navigationUrls.get(documentId) ?? withoutFragment(url);
}

/** Whether it is a document's own entry of its navigation. */
function isPageNavigation({ witness, facts }: Observation): boolean {
  return witness === 'page' && facts.initiatorType === 'navigation';
}

function isWithin(
  { startedAtMs: time }: Observation,
  { startedAtMs }: ObservedDocument,
  untilMs: number,
): boolean {
  return startedAtMs - slackMs <= time && time < untilMs;
}

/** The load in which the document of a load was loaded: another than itself for one that was restored. */
function firstLoadOf(
  load: ObservedDocument,
  siblings: readonly ObservedDocument[],
): ObservedDocument {
  return siblings.reduce(
    (first, each) =>
      each.documentId === load.documentId && each.startedAtMs < first.startedAtMs ? each : first,
    load,
  );
}

/** When a witness saw the document of a load asked for; Infinity: it did not. Wall clock, ms. */
function askedForAtMs(
  load: ObservedDocument,
  witness: EvidenceDepth,
  untilMs: number,
  tab: Tab,
): number {
  const address = requestedUrl(load, tab);
  const asked = tab.observations.filter(
    (each) =>
      each.witness === witness &&
      each.facts.type === 'document' &&
      (each.url === address || each.redirectsTo === address),
  );
  const times = asked.map((each) => each.startedAtMs);
  return least(times.filter((time) => load.startedAtMs - slackMs <= time && time < untilMs));
}

/**
 * A prefetch of speculation rules: chrome.webRequest reports it as a navigation, DevTools as another request. The load's
 * own navigation to the URL waits for its end, and follows before `untilMs`: a reload later is no sign of a prefetch.
 */
function isPrefetch(
  { witness, url, redirectsTo, endedAtMs }: Observation,
  observations: readonly Observation[],
  untilMs: number,
): boolean {
  if (endedAtMs === null || redirectsTo !== undefined) return false;
  return observations.some(
    (other) =>
      other.witness === witness &&
      other.facts.type === 'document' &&
      other.url === url &&
      endedAtMs <= other.startedAtMs &&
      other.startedAtMs < untilMs,
  );
}
