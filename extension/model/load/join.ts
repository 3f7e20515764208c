import {
  type Evidence,
  type EvidenceDepth,
  evidenceDepths,
  redirectStatuses,
} from '../attribution/evidence.ts';
import { greatest } from '../extremes.ts';
import { type Load, loadSchemaVersion, type Resource } from './load.ts';
import { lateMs, slackMs } from './load-span.ts';
import {
  type Observation,
  type ObservedDocument,
  observedUntilMs,
  type Watch,
} from './observation.ts';
import { joinWarnings } from './join-warnings.ts';
import { joinUses } from './join-uses.ts';
import { recordedWatches } from './recorded-watches.ts';
import { resourceOfUse } from './resource-of-use.ts';
import { foldHops } from './redirect-hop.ts';
import { foldTwins } from './twin-request.ts';
import { withoutBrowserRequests } from './browser-request.ts';
import { nameFrameDocuments, withoutParents } from './frame-document.ts';
import type { Use } from './use.ts';
import { isRunning } from './use-span.ts';
import {
  namePageWorkers,
  nameWorkerFetches,
  nameWorkerRedirects,
  workerFetchStatus,
} from './worker-fetch.ts';

/** The stored parts of one load. */
export interface LoadParts {
  document: ObservedDocument;
  observations: readonly Observation[];
  /** Watches of this tab. */
  watches: readonly Watch[];
  /** Time of reading, wall clock, ms: a witness may still report requests that ended just before. Default: Infinity. */
  readAtMs?: number;
}

/**
 * Joins the observations of one load into resources, one to one by URL and document (`pairing.ts`). Observations that
 * cannot be paired with certainty stay in separate rows, which say so (`unpaired`) and count the other witness as
 * absent.
 */
export function joinLoad(parts: LoadParts): Load {
  const { document, observations, readAtMs = Number.POSITIVE_INFINITY } = parts;
  const watches = recordedWatches(parts.watches);
  const isCut = (each: Observation): boolean => wasCut(each, watches);
  const once = new Map(observations.map((each) => [each.key, each]));
  const named = nameFrameDocuments([...once.values()]);
  const requests = withoutParents(foldHops(withoutBrowserRequests(named)));
  const ofWorkers = nameWorkerRedirects(namePageWorkers(nameWorkerFetches(requests)));
  const uses = joinUses(foldTwins(ofWorkers));
  const untilMs = observedUntil(observations);
  const isSilent = (depth: EvidenceDepth, use: Use): boolean =>
    endOf(use) < Math.max(untilMs[depth] - slackMs, readAtMs - lateMs) &&
    sawNothing(use, uses, depth, watches);
  const resources = uses.map((use) => ({
    ...resourceOfUse(use, evidenceOf(use, uses, isSilent), document.startedAtMs),
    ...(isRunning(use, isCut) ? { isRunning: true } : {}),
  }));
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
    resources: resources
      .toSorted((one, other) => one.startMs - other.startMs)
      .map((resource, sequence): Resource => ({ ...resource, sequence })),
    warnings: joinWarnings(document, watches, greatest(uses.map(endOf)), resources),
  };
}

/** A request that was unfinished when its witness stopped watching: its missing end is no evidence. */
function wasCut({ witness, startedAtMs, endedAtMs }: Observation, watches: readonly Watch[]) {
  if (endedAtMs !== null) return false;
  return watches.some(
    ({ depth, fromMs, toMs }) =>
      depth === witness && fromMs <= startedAtMs && toMs !== null && startedAtMs <= toMs,
  );
}

/**
 * Until when each witness has reported everything that it saw: witnesses report in order. A witness's silence about
 * requests that ended later is no evidence yet.
 */
function observedUntil(observations: readonly Observation[]): Record<EvidenceDepth, number> {
  const none = Number.NEGATIVE_INFINITY;
  const untilMs = { page: none, webRequest: none, devtools: none, debugger: none };
  for (const each of observations)
    untilMs[each.witness] = Math.max(untilMs[each.witness], observedUntilMs(each));
  return untilMs;
}

/**
 * Evidence of a use; null for a witness that watched during the whole use and has no observation that could belong to
 * it.
 */
function evidenceOf(
  use: Use,
  uses: readonly Use[],
  isSilent: (depth: EvidenceDepth, use: Use) => boolean,
): Evidence {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(use.first.url)?.[0].toLowerCase();
  const evidence: Evidence = scheme === undefined ? {} : { scheme };
  for (const depth of evidenceDepths) {
    const observation = use.byWitness[depth];
    if (observation?.evidence) {
      const status = workerFetchStatus(use, uses, depth);
      Object.assign(evidence, {
        [depth]: {
          ...observation.evidence,
          ...(status === undefined ? {} : { serviceWorkerFetchStatus: status }),
        },
      });
    } else if (!observation && isSilent(depth, use)) evidence[depth] = null;
  }
  const redirected = isRedirected(use);
  if (evidence.page?.isSameOrigin && redirected !== undefined)
    evidence.page = { ...evidence.page, isRedirected: redirected };
  return evidence;
}

/** Whether a witness other than the page saw a redirect; undefined: none saw the request. */
function isRedirected({ byWitness }: Use): boolean | undefined {
  const { webRequest, devtools, debugger: network } = byWitness;
  const seen = [webRequest, devtools, network].filter((each) => each?.evidence);
  if (seen.length === 0) return undefined;
  return seen.some(
    (each) => (each?.finalUrl ?? each?.redirectsTo) !== undefined || isRedirect(each),
  );
}

/** Whether it is a redirect that was not followed: fetch() may have handed it to its caller, with nothing to see in it. */
function isRedirect(each: Observation | undefined): boolean {
  if (!each?.evidence || each.witness === 'page') return false;
  const status = each.witness === 'webRequest' ? each.evidence.statusCode : each.evidence.status;
  return redirectStatuses.has(status);
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
  // The page cannot see its workers' requests, and a missing entry may still arrive.
  if (depth === 'page' || use.doubtful.has(depth)) return false;
  if (use.first.context !== 'document' && use.first.context !== 'frame') return false;
  if (depth === 'webRequest' && (!seesOrigin(use, uses) || isRedirectedByWorker(use))) return false;
  // A use may wait before its request is made, so the witness must have watched until its end.
  return watches.some(
    (watch) =>
      watch.depth === depth &&
      covers(watch, use.first.startedAtMs, depth) &&
      covers(watch, endOf(use), depth),
  );
}

/** chrome.webRequest reports what a service worker redirects to as a request for the target's URL alone. */
function isRedirectedByWorker({ byWitness: { page } }: Use): boolean {
  if (page?.witness !== 'page' || page.evidence.hasServiceWorker !== true) return false;
  return (page.evidence.timing?.redirectStart ?? 0) > 0;
}

/**
 * chrome.webRequest reports only sites with granted access: a report for this origin shows that it can see the origin.
 */
function seesOrigin(use: Use, uses: readonly Use[]): boolean {
  const origin = originOf(use.first.url);
  return uses.some(
    ({ byWitness, first }) => byWitness.webRequest && originOf(first.url) === origin,
  );
}

function originOf(url: string): string {
  return /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** The page's own entries are buffered, so watching a page late still covers its start. */
function covers({ fromMs, toMs }: Watch, timeMs: number, depth: EvidenceDepth): boolean {
  return (depth === 'page' || fromMs <= timeMs) && (toMs === null || timeMs <= toMs);
}
