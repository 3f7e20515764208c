import { fieldValue } from './header-fields.ts';
import type { Observation } from './observation.ts';

/**
 * Where the response's headers are unknown, a request that begins at most so long after its use, ms, may revalidate it.
 * Chromium begins the revalidation when it has nothing more urgent to do, so no time limits it where the headers allow
 * the stale use.
 */
const reachMs = 250;
/** The clocks of the page and the browser differ by less than this, ms. */
const leadMs = 20;

/**
 * A stale response is used while a second request revalidates it (RFC 5861 section 3). The page and DevTools do not see
 * that request. It is merged into the use whose response it revalidates, as `requests: 2` and `hasUnfinishedTwin`, and
 * is not a use itself. The protocol never reports the end of a revalidation, so the end of the watch changes nothing.
 */
export function foldTwins(observations: readonly Observation[]): Observation[] {
  return [...Map.groupBy(observations, ({ url }) => url).values()].flatMap((list) => {
    const inOrder = list.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
    return foldRequests(inOrder, foldNetwork(inOrder));
  });
}

/** The protocol reports every request, and the response of a revalidation, but not its end. */
function foldNetwork(inOrder: readonly Observation[]): Observation[] {
  const folded = new Set<Observation>();
  const renewed = new Set<Observation>();
  const requests = inOrder.filter((each) => each.witness === 'debugger' && each.evidence !== null);
  const entries = inOrder.filter(isEntry);
  for (const use of requests.filter(isFromDisk)) {
    const left = requests.filter((each) => !folded.has(each));
    const twin = left.find(
      (each) => each !== use && isUnfinished(each) && mayRevalidate(each, use),
    );
    if (!twin) continue;
    const fromMs = use.startedAtMs - leadMs;
    const toMs = twin.startedAtMs + leadMs;
    // The page has a use for each request but the revalidation.
    if (countBegun(entries, fromMs, toMs) >= countBegun(left, fromMs, toMs)) continue;
    folded.add(twin);
    renewed.add(use);
  }
  return inOrder
    .filter((each) => !folded.has(each))
    .map((each) => {
      if (each.witness !== 'debugger' || !each.evidence?.fromDiskCache) return each;
      return { ...each, evidence: { ...each.evidence, hasUnfinishedTwin: renewed.has(each) } };
    });
}

/** An entry of Resource Timing: a shared use has none, and no request. */
function isEntry(each: Observation): boolean {
  return each.witness === 'page' && each.evidence.timing !== null;
}

function countBegun(list: readonly Observation[], fromMs: number, toMs: number): number {
  return list.filter(({ startedAtMs }) => fromMs <= startedAtMs && startedAtMs <= toMs).length;
}

function isFromDisk(each: Observation): boolean {
  return each.witness === 'debugger' && each.evidence?.fromDiskCache === true;
}

/** Only a response that allows it is used while stale. null: its headers are unknown. */
function allowsStale({ facts: { responseHeaders } }: Observation): boolean | null {
  if (!responseHeaders) return null;
  return /stale-while-revalidate/i.test(fieldValue(responseHeaders, 'cache-control') ?? '');
}

function isUnfinished(each: Observation): boolean {
  return (
    each.witness === 'debugger' &&
    each.endedAtMs === null &&
    each.evidence?.encodedDataLength === null &&
    !each.evidence.fromDiskCache
  );
}

function mayRevalidate(twin: Observation, use: Observation): boolean {
  const { startedAtMs, endedAtMs } = use;
  const allowed = allowsStale(use);
  if (allowed === false || twin.context !== use.context) return false;
  if (twin.documentId && use.documentId && twin.documentId !== use.documentId) return false;
  const lastMs = allowed ? Infinity : (endedAtMs ?? startedAtMs) + reachMs;
  return startedAtMs <= twin.startedAtMs && twin.startedAtMs <= lastMs;
}

/**
 * chrome.webRequest reports the revalidation like any other hit. It is one only if the page has one use for both
 * requests. A use has one at most: what a worker, which the page does not see, reads after it are uses of their own.
 */
function foldRequests(inOrder: readonly Observation[], rest: Observation[]): Observation[] {
  const entries = inOrder.filter(isEntry);
  const folded: Observation[] = [];
  let last = -1;
  let hasTwin = false;
  for (const each of rest) {
    const use = folded[last];
    if (each.witness !== 'webRequest' || !each.evidence?.fromCache) folded.push(each);
    else if (
      !hasTwin &&
      use?.witness === 'webRequest' &&
      use.evidence &&
      mayRevalidate(each, use) &&
      countDuring(entries, use.startedAtMs - leadMs, each.startedAtMs + leadMs) === 1
    ) {
      const requests = use.evidence.requests + each.evidence.requests;
      folded[last] = { ...use, evidence: { ...use.evidence, requests } };
      hasTwin = true;
    } else {
      last = folded.push(each) - 1;
      hasTwin = false;
    }
  }
  return folded;
}

function countDuring(list: readonly Observation[], fromMs: number, toMs: number): number {
  return list.filter(
    ({ startedAtMs, endedAtMs }) => fromMs <= (endedAtMs ?? toMs) && startedAtMs <= toMs,
  ).length;
}
