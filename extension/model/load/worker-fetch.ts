import { isRaceWonByNetwork } from '../attribution/worker-signals.ts';
import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { Observation } from './observation.ts';
import type { Use } from './use.ts';

/** A service worker's own fetch begins within this time of the request that it answers, ms. */
const reachMs = 5000;

/**
 * DevTools lists a service worker's own fetch beside the request that it answers: as another entry of the same URL, not
 * marked as a service worker's. Sets the context of these fetches to `service-worker`.
 */
export function nameWorkerFetches(observations: readonly Observation[]): Observation[] {
  const fetches = new Set<string>();
  const entries = observations.filter((each) => each.witness === 'devtools');
  for (const list of Map.groupBy(entries, ({ url }) => url).values()) {
    const own = list.filter((each) => !isAnsweredByWorker(each));
    for (const each of besideAnswers(list, own, observations)) fetches.add(each.key);
    const answered = list.filter((each) => isAnsweredByWorker(each) && mayHaveFetched(each));
    for (const request of answered) {
      const within = own.filter((each) => !fetches.has(each.key) && isWithin(request, each));
      // Two candidates could each belong to another document: then neither is marked.
      if (within[0] && within.length === 1) fetches.add(within[0].key);
    }
    for (const { key } of racesLost(list, observations)) fetches.add(key);
  }
  for (const { key } of workerScripts(observations)) fetches.add(key);
  return observations.map((each) =>
    fetches.has(each.key) ? { ...each, context: 'service-worker' as const } : each,
  );
}

/** What DevTools lists beside the page's requests, and chrome.webRequest as a service worker's: its own script. */
function workerScripts(observations: readonly Observation[]): Observation[] {
  const asked = new Set(observations.filter(isOfServiceWorker).map(({ url }) => url));
  const used = new Set(
    observations.filter(({ witness }) => witness === 'page').map(({ url }) => url),
  );
  return observations.filter(
    (each) =>
      each.witness === 'devtools' &&
      asked.has(each.url) &&
      !used.has(each.url) &&
      !isAnsweredByWorker(each),
  );
}

function isOfServiceWorker({ witness, context }: Observation): boolean {
  return witness !== 'page' && context === 'service-worker';
}

/**
 * A worker that answers from its store may ask for a newer response at once or later. Where the page reports no more uses
 * than the worker answered, every other entry is the worker's own fetch.
 */
function besideAnswers(
  entries: readonly Observation[],
  own: readonly Observation[],
  all: readonly Observation[],
): Observation[] {
  const answered = entries.filter(isAnsweredByWorker);
  const uses = all.filter(
    (each) =>
      each.witness === 'page' && each.evidence.timing !== null && each.url === entries[0]?.url,
  );
  if (uses.length === 0 || uses.length > answered.length) return [];
  return own.filter((each) => answered.some((request) => isWithin(request, each, reachMs)));
}

/**
 * chrome.webRequest reports no tab for the requests of a shared worker or a nested worker either. If no service worker
 * controls a document of the load, these are not a service worker's requests.
 */
export function namePageWorkers(observations: readonly Observation[]): Observation[] {
  const isControlled = observations.some(
    ({ witness, evidence }) => witness === 'page' && evidence.hasServiceWorker === true,
  );
  if (isControlled) return [...observations];
  // The script of a registration: another witness saw the service worker itself.
  const others = observations.filter((each) => each.witness !== 'webRequest');
  const ofServiceWorkers = new Set(others.filter(isOfServiceWorker).map(({ url }) => url));
  return observations.map((each) =>
    each.witness === 'webRequest' &&
    each.context === 'service-worker' &&
    !ofServiceWorkers.has(each.url)
      ? { ...each, context: 'worker' as const }
      : each,
  );
}

/**
 * chrome.webRequest reports a request that a service worker redirected under its target's URL alone. Gives it the URL
 * that the page asked for, which DevTools or the debugger know.
 */
export function nameWorkerRedirects(observations: readonly Observation[]): Observation[] {
  const isControlled = observations.some(
    ({ witness, evidence }) => witness === 'page' && evidence.hasServiceWorker === true,
  );
  if (!isControlled) return [...observations];
  const requests = observations.filter(({ witness }) => witness === 'webRequest');
  const renamed = new Map<string, Observation>();
  for (const each of observations) {
    if (each.finalUrl === undefined || each.witness === 'webRequest') continue;
    const within = requests.filter((request) => isWithin(each, request));
    const targets = within.filter(({ url }) => url === each.finalUrl);
    const [target] = targets;
    if (!target || targets.length > 1 || within.some(({ url }) => url === each.url)) continue;
    renamed.set(target.key, { ...target, url: each.url, finalUrl: each.finalUrl });
  }
  return observations.map((each) => renamed.get(each.key) ?? each);
}

/**
 * Both entries of a race won by the network look alike: those beyond the number of page uses are the handler's fetches.
 */
function racesLost(entries: readonly Observation[], all: readonly Observation[]): Observation[] {
  const races = entries
    .filter((each) => each.witness === 'devtools' && isRaceWonByNetwork(each.evidence))
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const url = races[0]?.url;
  const uses = all.filter((each) => each.witness === 'page' && each.url === url);
  return uses.length === 0 ? [] : races.slice(uses.length);
}

function isAnsweredByWorker(observation: Observation): boolean {
  return observation.witness === 'devtools' && observation.evidence.fetchedViaServiceWorker;
}

/**
 * A response from Cache Storage, or one that the worker constructed, needed no fetch; the loser of a race is also
 * listed.
 */
function mayHaveFetched({ witness, evidence }: Observation): boolean {
  if (witness !== 'devtools') return false;
  const { serviceWorkerResponseSource: source, routerMatched } = evidence;
  return (
    source === 'network' || source === 'http-cache' || routerMatched?.startsWith('race') === true
  );
}

function isWithin(request: Observation, fetch: Observation, afterMs = 0): boolean {
  const end = (request.endedAtMs ?? request.startedAtMs + reachMs) + afterMs;
  return request.startedAtMs - 1 <= fetch.startedAtMs && fetch.startedAtMs <= end;
}

/**
 * The status of the service worker's own fetch of this use's URL, as a witness saw it. null when the witness saw the
 * worker answer and no fetch; undefined when, as far as the witness knows, no service worker answered.
 */
export function workerFetchStatus(
  use: Use,
  uses: readonly Use[],
  depth: EvidenceDepth,
): number | null | undefined {
  const request = use.byWitness[depth];
  if (!request || use.first.context === 'service-worker' || !isFromWorker(request))
    return undefined;
  const fetch = uses.find(
    ({ first, byWitness }) =>
      first.context === 'service-worker' &&
      first.url === request.url &&
      byWitness[depth] !== undefined &&
      isWithin(request, first),
  );
  return statusOf(fetch?.byWitness[depth]);
}

function isFromWorker({ witness, evidence }: Observation): boolean {
  if (witness === 'devtools') return evidence.fetchedViaServiceWorker;
  return witness === 'debugger' && evidence !== null && evidence.fromServiceWorker;
}

function statusOf(fetch: Observation | undefined): number | null {
  // DevTools reports 200 for a navigation preload that was answered 304.
  if (fetch?.witness === 'devtools' && fetch.facts.type === 'other') return null;
  if (fetch?.witness === 'debugger') return fetch.evidence?.extraInfoStatus ?? null;
  if (fetch?.witness !== 'devtools' || fetch.evidence.fromCache !== undefined) return null;
  // Without a body it may be a 304 of which DevTools had not heard.
  const { status, isShort } = fetch.evidence;
  return isShort && status !== 304 ? null : status;
}
