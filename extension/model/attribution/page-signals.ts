import type { Answer } from './answer.ts';
import { read, type Reading, type Rule } from './reading.ts';
import type { PageEvidence } from './evidence.ts';
import {
  delivery,
  endsBeforeStart,
  isBodiless,
  isCached,
  isCertainlyEmpty,
  isConfirmed,
  isFromCopy,
  isHandled,
  isHidden,
  isInstant,
  isPart,
  isPassed,
  isRace,
  isUntouched,
  mayBeHandled,
  transferred,
  type Timed,
} from './timed-use.ts';

/** Interprets Resource Timing. Times and sizes are a heuristic, so most of its readings are inferred. */
export function readPage(evidence: PageEvidence): Reading {
  if (evidence.isBackForwardRestore) {
    return {
      leaves: ['bfcache'],
      says: 'pageshow.persisted: the document was restored',
      isOutright: true,
    };
  }
  if (evidence.timing) return read(timed, { ...evidence, timing: evidence.timing }, unexplained);
  return read(untimed, evidence, 'the page has no Resource Timing entry for this use');
}

const unexplained = 'the times and sizes of Resource Timing match no known delivery';

const forbidden: Rule<PageEvidence> = {
  when: ({ blockedBy }) => blockedBy !== undefined,
  leaves: ['blocked'],
  says: 'securitypolicyviolation: blocked by the Content-Security-Policy',
  isOutright: true,
};

/** Rules for a use without its own entry. */
const untimed: readonly Rule<PageEvidence>[] = [
  forbidden,
  {
    when: ({ earlierEntry }) =>
      earlierEntry?.isPreload === true || earlierEntry?.initiatorType === 'early-hints',
    leaves: ['preload'],
    says: 'the only entry belongs to the preload that this use consumed',
  },
  {
    // A style sheet's own entry also has initiatorType link, so the type alone does not prove a preload.
    when: ({ earlierEntry }) =>
      earlierEntry?.initiatorType === 'link' && earlierEntry.isPreload === undefined,
    leaves: ['preload', 'same-document'],
    says: 'the only entry belongs to a link element, whose response this use shares',
  },
  {
    when: ({ earlierEntry }) => earlierEntry !== undefined,
    leaves: ['same-document'],
    says: 'the only entry belongs to an earlier use in this document',
  },
];

const workerAnswers: readonly Answer[] = [
  'service-worker/network',
  'service-worker/http-cache',
  'service-worker/revalidated',
  'service-worker/synthetic',
];
/** To the page, a prefetched or stale entry looks like an ordinary disk hit. */
const diskAnswers: readonly Answer[] = ['disk', 'prefetch/link', 'stale-while-revalidate'];
const subresourceAnswers: readonly Answer[] = [
  'network',
  'network/not-modified',
  'memory',
  ...diskAnswers,
  'revalidated/http-cache',
  'revalidated/memory-cache',
  'early-hints',
];

const notTold =
  'a cross-origin response without Timing-Allow-Origin: the page sees neither sizes nor times';

/** The first matching rule applies. */
const timed: readonly Rule<Timed>[] = [
  forbidden,
  {
    when: (seen) => delivery(seen) === undefined,
    leaves: null,
    says: 'the browser does not report deliveryType',
  },
  {
    when: ({ timing }) => timing.transferSize === undefined,
    leaves: null,
    says: 'the browser does not report transferSize',
  },
  {
    when: (seen) => delivery(seen) !== '' && isUntouched(seen),
    leaves: ['memory'],
    says: 'deliveryType is cache and the duration is 0',
  },
  {
    when: (seen) => delivery(seen) === 'navigational-prefetch',
    leaves: ['prefetch/speculation'],
    says: 'deliveryType is navigational-prefetch',
    isOutright: true,
  },
  {
    when: (seen) => delivery(seen) === 'cache-storage',
    leaves: ['service-worker/cache-storage'],
    says: 'deliveryType is cache-storage',
    isOutright: true,
  },
  {
    when: (seen) => isHidden(seen) && seen.mayBeBlocked === true && isInstant(seen),
    leaves: ['memory', 'blocked', 'failed'],
    says: 'the page sees neither sizes nor times, and the duration is 0: never sent, or from memory',
  },
  {
    when: (seen) => isHidden(seen) && seen.hasServiceWorker === false && isFromCopy(seen),
    leaves: subresourceAnswers,
    says: notTold,
    isHidden: true,
  },
  {
    when: (seen) => isHidden(seen) && seen.hasServiceWorker === false,
    leaves: [...subresourceAnswers, 'blocked', 'failed'],
    says: `${notTold}; or there was no response`,
    isHidden: true,
  },
  { when: isHidden, leaves: null, says: notTold, isHidden: true },
  {
    when: ({ timing }) => timing.responseStatus === 304,
    leaves: ['network/not-modified'],
    says: 'the page itself sees the status 304',
  },
  {
    when: (seen) =>
      isCached(seen) && seen.timing.initiatorType === 'early-hints' && transferred(seen) === 0,
    leaves: ['early-hints'],
    says: 'initiatorType is early-hints, and no further bytes were transferred',
  },
  {
    when: (seen) => isCached(seen) && transferred(seen) === 0 && isHandled(seen),
    leaves: workerAnswers,
    says: 'the fetch handler of a service worker answered',
  },
  {
    when: (seen) =>
      isCached(seen) && transferred(seen) === 0 && mayBeHandled(seen) && !isPassed(seen),
    leaves: [...workerAnswers, ...diskAnswers],
    says: 'a service worker answered or passed the request on: its responses look like disk hits',
  },
  {
    when: (seen) => delivery(seen) === '' && isPart(seen),
    leaves: ['mixed'],
    says: 'fewer bytes were transferred than the body has, without a content coding: the rest was cached',
  },
  {
    when: (seen) => isCached(seen) && transferred(seen) === 0 && endsBeforeStart(seen),
    leaves: diskAnswers,
    says: 'deliveryType is cache, nothing was transferred, and the times are those of a worker’s script',
  },
  {
    when: (seen) =>
      isRace(seen.timing) && !isConfirmed(seen) && (seen.timing.finalResponseHeadersStart ?? 0) > 0,
    leaves: ['network'],
    says: 'the network won the race against the service worker',
  },
  {
    when: isConfirmed,
    leaves: ['revalidated/http-cache'],
    says: 'deliveryType is cache, and only headers were transferred: a 304',
  },
  {
    when: (seen) => isCached(seen) && seen.timing.firstInterimResponseStart === undefined,
    leaves: null,
    says: 'the browser does not report firstInterimResponseStart, so memory and disk look the same',
  },
  {
    when: ({ timing }) =>
      timing.deliveryType === 'cache' &&
      timing.transferSize === 0 &&
      (timing.firstInterimResponseStart ?? 0) > 0 &&
      timing.firstInterimResponseStart === timing.responseStart &&
      timing.finalResponseHeadersStart === 0,
    leaves: diskAnswers,
    says: 'deliveryType is cache, nothing was transferred, and no headers are from the network',
  },
  {
    when: (seen) => isCached(seen),
    leaves: null,
    says: 'deliveryType is cache, but the times match neither a memory nor a disk hit',
  },
  {
    when: (seen) => delivery(seen) !== '',
    leaves: null,
    says: 'deliveryType has a value that is not known here',
  },
  {
    when: (seen) => transferred(seen) === 0,
    leaves: null,
    says: 'nothing was transferred, although deliveryType names no cache',
  },
  {
    // A document that a service worker answered looks as if it had been transferred.
    when: (seen) => seen.timing.finalResponseHeadersStart === 0 && isHandled(seen),
    leaves: [...workerAnswers, 'service-worker/cache-storage'],
    says: 'the fetch handler of a service worker answered',
  },
  {
    when: (seen) => seen.timing.finalResponseHeadersStart === 0 && mayBeHandled(seen),
    leaves: [...workerAnswers, 'service-worker/cache-storage'],
    says: 'a service worker was started, and no headers are from the network',
  },
  {
    when: ({ timing }) => timing.finalResponseHeadersStart === 0,
    leaves: null,
    says: 'deliveryType names no cache, but no headers are from the network',
  },
  {
    when: (seen) => isBodiless(seen) && (seen.bodyBytes ?? 0) > 0,
    leaves: ['revalidated/memory-cache'],
    says: 'only headers were transferred, but there is a body: a 304',
  },
  {
    when: (seen) =>
      isBodiless(seen) && seen.bodyBytes === undefined && !isCertainlyEmpty(seen.timing),
    leaves: ['network', 'revalidated/memory-cache'],
    says: 'only headers were transferred: an empty response, or a 304 for the memory cache',
  },
  {
    when: ({ timing }) => timing.initiatorType === 'early-hints',
    leaves: ['network', 'early-hints'],
    says: 'requested by an early hint, and its bytes were still arriving from the network',
  },
  {
    // Chromium cuts a range out of a stored response that the origin confirmed, and reports it as fully transferred.
    when: ({ timing }) => timing.responseStatus === 206,
    leaves: ['network', 'revalidated/http-cache'],
    says: 'deliveryType names no cache; the range is from the network, or a 304 confirmed the stored one',
  },
  {
    when: () => true,
    leaves: ['network'],
    says: 'deliveryType names no cache, and bytes were transferred',
  },
];
