import type { EvidenceDepth } from '../attribution/evidence.ts';
import { frameTypes } from './frame-document.ts';
import type { Observation } from './observation.ts';
import type { Span } from './pairing.ts';

/** A use without an entry of its own made its own request, if any, so long before its element had finished, ms. */
const sharedReachMs = 250;

/** The browser delivered no entry for this use: only when its element had finished is known. */
export function isShared({ witness, evidence }: Observation): boolean {
  return witness === 'page' && evidence.timing === null && !evidence.isBackForwardRestore;
}

/** Whether the witness could see a request of this use: a memory hit takes no time, and asks nothing of the browser. */
export function mayHaveAsked({ witness, evidence, facts }: Observation, depth: EvidenceDepth) {
  if (depth !== 'webRequest' || witness !== 'page') return true;
  return evidence.timing?.duration !== 0 || facts.initiatorType === 'navigation';
}

/** When a use was under way, as far as the witness that told of it first knows. */
export function spanOfUse(first: Observation): Span {
  const { startedAtMs } = first;
  if (isShared(first)) {
    // What stands in its URL had no entry to share, and may have taken any time.
    const reachMs = first.url.startsWith('data:') ? Number.POSITIVE_INFINITY : sharedReachMs;
    return { startMs: startedAtMs - reachMs, endMs: startedAtMs, isEndSure: false };
  }
  const endMs = endOf(first);
  // Of a worker's script Chromium says that it started when it had ended, or later.
  return {
    startMs: Math.min(startedAtMs, endMs),
    endMs: Math.max(startedAtMs, endMs),
    isEndSure: isPlain(first) && startedAtMs <= endMs && endMs < Number.POSITIVE_INFINITY,
  };
}

/**
 * The end is that of the response: not where a service worker handed on what it has, nor where a frame that failed counts
 * until the page in its place.
 */
function isPlain({ witness, evidence, facts }: Observation): boolean {
  return (
    witness === 'page' &&
    evidence.hasServiceWorker !== true &&
    !frameTypes.has(facts.initiatorType ?? '')
  );
}

/** A navigation's duration counts until its load event. */
function endOf({ witness, startedAtMs, endedAtMs, evidence, facts }: Observation): number {
  if (witness !== 'page' || facts.initiatorType !== 'navigation')
    return endedAtMs ?? Number.POSITIVE_INFINITY;
  const { startTime = 0, responseEnd = 0 } = evidence.timing ?? {};
  return responseEnd > 0 ? startedAtMs + responseEnd - startTime : Number.POSITIVE_INFINITY;
}

/** A frame that failed shows a page of the browser, and counts until that. */
function hasFailed(evidence: Observation['evidence']): boolean {
  return evidence !== null && ('error' in evidence || 'errorText' in evidence);
}

/** When a request was under way. */
export function spanOfRequest({ witness, startedAtMs, endedAtMs, evidence }: Observation): Span {
  return {
    startMs: startedAtMs,
    endMs: endedAtMs ?? Number.POSITIVE_INFINITY,
    isEndSure: witness !== 'devtools' && endedAtMs !== null && !hasFailed(evidence),
  };
}
