import type { PageEvidence } from './evidence.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** A use with an entry of its own. */
export type Timed = PageEvidence & { timing: ResourceTiming };

/** `deliveryType`; undefined where the browser does not report it. */
export const delivery = ({ timing }: Timed): string | undefined => timing.deliveryType;
/** The browser names a cache, and does not say which. */
export const isCached = ({ timing }: Timed): boolean => timing.deliveryType === 'cache';
/** `transferSize`, bytes. */
export const transferred = ({ timing }: Timed): number => timing.transferSize ?? 0;

/** From the memory cache: nothing took time. */
export function isUntouched({ timing }: Timed): boolean {
  const { transferSize, duration, firstInterimResponseStart } = timing;
  return transferSize === 0 && duration === 0 && firstInterimResponseStart === 0;
}

/** Static routing told what served it in the end: the fetch handler. */
export function isHandled({ timing }: Timed): boolean {
  return timing.workerFinalSourceType === 'fetch-event';
}

/**
 * A service worker had a say, and without static routes the browser does not tell whether its fetch handler answered or
 * let the request pass to the HTTP cache. Both look like disk hits.
 */
export function mayBeHandled({ timing, hasServiceWorker }: Timed): boolean {
  const { workerStart = 0, workerFinalSourceType } = timing;
  return !workerFinalSourceType && (workerStart > 0 || hasServiceWorker === true);
}

/** Of what a fetch handler answers with, both sizes are told after decoding: sizes that differ let it pass. */
export function isPassed({ timing }: Timed): boolean {
  const { contentEncoding, encodedBodySize, decodedBodySize } = timing;
  return Boolean(contentEncoding) && encodedBodySize !== decodedBodySize;
}

/** Sizes and times of a cross-origin response without Timing-Allow-Origin. */
export function isHidden({ timing }: Timed): boolean {
  return timing.deliveryType === '' && !timing.transferSize && !timing.responseStart;
}

/** The coding is told only with the status; without one both sizes are the same, unless a part was cached. */
export function isPart({ timing }: Timed): boolean {
  const { contentEncoding, responseStatus, encodedBodySize = 0, decodedBodySize = 0 } = timing;
  if (contentEncoding !== '' || !responseStatus) return false;
  return 0 < encodedBodySize && encodedBodySize < decodedBodySize;
}

/** Chromium says of a worker's script that it began when it had ended. */
export function endsBeforeStart({ timing: { startTime, responseEnd } }: Timed): boolean {
  return responseEnd !== undefined && 0 < responseEnd && responseEnd < startTime;
}

/** Only headers came, and the HTTP cache had the body: a 304. */
export const isConfirmed = (seen: Timed): boolean => isCached(seen) && transferred(seen) === 300;
/** The use took no time. */
export const isInstant = ({ timing }: Timed): boolean => timing.duration === 0;

/** What fails takes time, and what the memory cache holds takes none. */
export function isFromCopy(seen: Timed): boolean {
  return isInstant(seen) && !uncopied.has(seen.timing.initiatorType ?? '');
}

/** Headers came and no body: an empty response, or a 304 with which the memory cache's copy was confirmed. */
export function isBodiless(seen: Timed): boolean {
  return delivery(seen) === '' && transferred(seen) === 300 && seen.timing.encodedBodySize === 0;
}

/** Blink keeps no copy of these in its memory cache. */
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

/** No copy can have been confirmed: the response has no body. */
export function isCertainlyEmpty({ initiatorType = '', responseStatus }: ResourceTiming): boolean {
  return responseStatus !== 200 || uncopied.has(initiatorType);
}
