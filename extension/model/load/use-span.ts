import type { EvidenceDepth } from '../attribution/evidence.ts';
import { isGivenUp, mayBeWorkerScript } from '../attribution/timed-use.ts';
import { frameTypes } from './frame-document.ts';
import { lateMs } from './load-span.ts';
import type { Observation } from './observation.ts';
import type { Span } from './pairing.ts';
import type { Use } from './use.ts';

/** A use without its own entry made its request, if any, at most this long before its element finished, ms. */
const sharedReachMs = 250;

/** The browser delivered no entry for this use: only the time when its element finished is known. */
export function isShared({ witness, evidence }: Observation): boolean {
  return witness === 'page' && evidence.timing === null && !evidence.isBackForwardRestore;
}

/**
 * Whether a use is in progress: a witness that still watches saw its start, and none its end. DevTools reports only
 * requests that have ended.
 */
export function isRunning({ byWitness }: Use, isCut: (each: Observation) => boolean): boolean {
  const seen = Object.values(byWitness);
  return (
    seen.every(
      (each) => each.endedAtMs === null && each.witness !== 'devtools' && !isShared(each),
    ) && seen.some((each) => !isCut(each))
  );
}

/**
 * Whether the witness could see a request of this use: a memory cache hit takes no time and makes no browser request.
 */
export function mayHaveAsked({ witness, evidence }: Observation, depth: EvidenceDepth): boolean {
  if (depth !== 'webRequest' || witness !== 'page' || evidence.timing?.duration !== 0) return true;
  const { initiatorType } = evidence.timing;
  return initiatorType === 'navigation' || mayBeWorkerScript(evidence.timing);
}

/** When a use was in progress, as far as the first witness knows. */
export function spanOfUse(first: Observation): Span {
  const { startedAtMs } = first;
  if (isShared(first)) {
    // A data: URL has no earlier entry to share and may have taken any time.
    const reachMs = first.url.startsWith('data:') ? Number.POSITIVE_INFINITY : sharedReachMs;
    return { startMs: startedAtMs - reachMs, endMs: startedAtMs, isEndSure: false };
  }
  const endMs = endOf(first);
  const askedByMs = askedBy(first);
  return {
    startMs: Math.min(startedAtMs, endMs),
    // Chromium may report that a failed request ended before it was sent.
    endMs: Math.max(startedAtMs, endMs, askedByMs ?? endMs),
    isEndSure: isPlain(first) && startedAtMs <= endMs && endMs < Number.POSITIVE_INFINITY,
    ...(askedByMs === undefined ? {} : { askedByMs }),
    // For a worker's script, Chromium reports a start after its end.
    ...(startedAtMs > endMs ? { leadMs: lateMs } : {}),
  };
}

/** When its request had begun, by `requestStart`: a cache or the network had been asked. */
function askedBy({ witness, startedAtMs, evidence }: Observation): number | undefined {
  if (witness !== 'page' || !evidence.timing) return undefined;
  const { startTime, requestStart = 0 } = evidence.timing;
  return requestStart > startTime ? startedAtMs + requestStart - startTime : undefined;
}

/**
 * Whether the end is that of the response. It is not if a service worker passed on a response, and not for a failed
 * frame, whose entry lasts until the error page is shown. Blink learns the sizes when the response ends: without them it
 * gave up the response before (a script with status 404, a closed EventSource), and the end is when the document did so.
 * So it is where Blink found an error in the body (an image that it cannot decode).
 */
function isPlain({ witness, evidence, facts }: Observation): boolean {
  return (
    witness === 'page' &&
    evidence.hasServiceWorker !== true &&
    !frameTypes.has(facts.initiatorType ?? '') &&
    (evidence.timing?.encodedBodySize ?? 0) > 0 &&
    !(evidence.timing && isGivenUp({ ...evidence, timing: evidence.timing }))
  );
}

/** A navigation's duration lasts until its load event. */
function endOf({ witness, startedAtMs, endedAtMs, evidence, facts }: Observation): number {
  if (witness !== 'page' || facts.initiatorType !== 'navigation')
    return endedAtMs ?? Number.POSITIVE_INFINITY;
  const { startTime = 0, responseEnd = 0 } = evidence.timing ?? {};
  return responseEnd > 0 ? startedAtMs + responseEnd - startTime : Number.POSITIVE_INFINITY;
}

/** Whether the request failed. A failed frame shows the browser's error page, and its entry lasts until then. */
function hasFailed(evidence: Observation['evidence']): boolean {
  return evidence !== null && ('error' in evidence || 'errorText' in evidence);
}

/** When a request was in progress. */
export function spanOfRequest({ witness, startedAtMs, endedAtMs, evidence }: Observation): Span {
  const endMs = endedAtMs ?? Number.POSITIVE_INFINITY;
  // What was fetched ahead had ended before it was used.
  const isAhead = endMs < startedAtMs;
  return {
    startMs: startedAtMs,
    endMs: Math.max(startedAtMs, endMs),
    isEndSure: witness !== 'devtools' && endedAtMs !== null && !isAhead && !hasFailed(evidence),
  };
}
