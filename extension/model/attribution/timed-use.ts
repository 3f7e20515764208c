import type { PageEvidence } from './evidence.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** A use with its own entry. */
export type Timed = PageEvidence & { timing: ResourceTiming };

/** `deliveryType`; undefined where the browser does not report it. */
export const delivery = ({ timing }: Timed): string | undefined => timing.deliveryType;
/** The browser names a cache, but not which one. */
export const isCached = ({ timing }: Timed): boolean => timing.deliveryType === 'cache';
/** `transferSize`, bytes. */
export const transferred = ({ timing }: Timed): number => timing.transferSize ?? 0;

/** From the memory cache: no time passed. */
export function isUntouched({ timing }: Timed): boolean {
  const { transferSize, duration, firstInterimResponseStart } = timing;
  return transferSize === 0 && duration === 0 && firstInterimResponseStart === 0;
}

/** Static routing reports that the fetch handler finally served it. */
export function isHandled({ timing }: Timed): boolean {
  return timing.workerFinalSourceType === 'fetch-event';
}

/**
 * A service worker was involved. Without static routes, the browser does not report whether the fetch handler answered
 * or passed the request on to the HTTP cache. Both look like disk hits.
 */
export function mayBeHandled({ timing, hasServiceWorker }: Timed): boolean {
  const { workerStart = 0, workerFinalSourceType } = timing;
  return !workerFinalSourceType && (workerStart > 0 || hasServiceWorker === true);
}

/**
 * The fetch handler passed the request on. For its own responses Chromium reports the decoded size twice, so different
 * sizes exclude them.
 */
export function isPassed({ timing }: Timed): boolean {
  const { contentEncoding, encodedBodySize, decodedBodySize } = timing;
  return Boolean(contentEncoding) && encodedBodySize !== decodedBodySize;
}

/** A cross-origin response without Timing-Allow-Origin: sizes and times are hidden. */
export function isHidden({ timing }: Timed): boolean {
  return timing.deliveryType === '' && !timing.transferSize && !timing.responseStart;
}

/** Of the document's own origin, without a redirect or a service worker: nothing can hide its times. */
export function isPlainSameOrigin({
  isSameOrigin,
  isRedirected,
  hasServiceWorker,
}: Timed): boolean {
  return isSameOrigin === true && isRedirected === false && hasServiceWorker === false;
}

/**
 * A part of the body was cached. The coding is reported only with the status; without a coding, only this makes the
 * sizes differ.
 */
export function isPart({ timing }: Timed): boolean {
  const { contentEncoding, responseStatus, encodedBodySize = 0, decodedBodySize = 0 } = timing;
  if (contentEncoding !== '' || !responseStatus) return false;
  return 0 < encodedBodySize && encodedBodySize < decodedBodySize;
}

/**
 * For a worker's script, Chromium reports the start when the browser has loaded it: after the end, or on a busy machine
 * at the same time.
 */
export function mayBeWorkerScript({ initiatorType }: ResourceTiming): boolean {
  return initiatorType === 'other';
}

/** The times of a worker’s script. */
export function endsBeforeStart({ timing: { startTime, responseEnd } }: Timed): boolean {
  return responseEnd !== undefined && 0 < responseEnd && responseEnd < startTime;
}

/** Only headers were transferred, and the HTTP cache had the body: a 304. */
export const isConfirmed = (seen: Timed): boolean => isCached(seen) && transferred(seen) === 300;
/** The use took no time. */
export const isInstant = ({ timing }: Timed): boolean => timing.duration === 0;

/** From the memory cache: a failed request takes time, a memory cache hit takes none. */
export function isFromCopy(seen: Timed): boolean {
  return isInstant(seen) && !uncopied.has(seen.timing.initiatorType ?? '');
}

/** It came from a cache, whatever else was transferred: a stored response names no protocol. */
export function isStored({ timing }: Timed): boolean {
  const { nextHopProtocol, responseStart = 0, finalResponseHeadersStart } = timing;
  const isFirst = responseStart > 0 && timing.firstInterimResponseStart === responseStart;
  return nextHopProtocol === '' && finalResponseHeadersStart === 0 && isFirst;
}

/** What was cut short, or could not be decoded, is reported as transferred, although it was stored. */
export const isGivenUp = (seen: Timed): boolean => isStored(seen) && delivery(seen) === '';

/** Headers arrived without a body: an empty response, or a 304 that confirmed the memory cache's copy. */
export function isBodiless(seen: Timed): boolean {
  return delivery(seen) === '' && transferred(seen) === 300 && seen.timing.encodedBodySize === 0;
}

/** Initiator types whose responses Blink does not keep in its memory cache. */
const uncopied = new Set(['fetch', 'xmlhttprequest', 'beacon', 'navigation']);

/** The network won a race against the fetch handler. */
export function isRace({
  workerMatchedSourceType,
  workerFinalSourceType,
}: ResourceTiming): boolean {
  return (
    workerMatchedSourceType === 'race-network-and-fetch-handler' &&
    workerFinalSourceType === 'network'
  );
}

/** No stored copy can have been confirmed, so the response has no body. */
export function isCertainlyEmpty({ initiatorType = '', responseStatus }: ResourceTiming): boolean {
  return responseStatus !== 200 || uncopied.has(initiatorType);
}
