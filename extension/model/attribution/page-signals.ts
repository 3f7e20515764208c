import type { Answer } from './answer.ts';
import { inferred, read, type Reading, type Rule, silent, stated } from './reading.ts';
import type { PageEvidence } from './evidence.ts';
import { workerAnswers } from './worker-signals.ts';
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
  isPlainSameOrigin,
  isRace,
  isStored,
  isUntouched,
  mayBeHandled,
  mayBeWorkerScript,
  transferred,
  type Timed,
} from './timed-use.ts';

/**
 * Interprets Resource Timing. Times and sizes are a heuristic, so most of its readings are inferred. null: the page
 * watched and observed nothing.
 */
export function readPage(evidence: PageEvidence | null): Reading {
  if (evidence === null) return { leaves: null, says: 'the page observed nothing for this use' };
  if (evidence.timing) return read(timed, { ...evidence, timing: evidence.timing }, unexplained);
  return read(untimed, evidence, 'the page has no Resource Timing entry for this use');
}

const unexplained = 'the times and sizes of Resource Timing match no known delivery';

/** Rules for a use with or without its own entry. */
const always: readonly Rule<PageEvidence>[] = [
  stated(
    ({ isBackForwardRestore }) => isBackForwardRestore === true,
    ['bfcache'],
    'pageshow.persisted: the document was restored',
  ),
  stated(
    ({ blockedBy }) => blockedBy !== undefined,
    ['blocked'],
    'securitypolicyviolation: blocked by the Content-Security-Policy',
  ),
];

/** Rules for a use without its own entry. */
const untimed: readonly Rule<PageEvidence>[] = [
  ...always,
  inferred(
    ({ earlierEntry }) =>
      earlierEntry?.isPreload === true || earlierEntry?.initiatorType === 'early-hints',
    ['preload'],
    'the only entry belongs to the preload that this use consumed',
  ),
  // A style sheet's own entry also has initiatorType link, so the type alone does not prove a preload.
  inferred(
    ({ earlierEntry }) =>
      earlierEntry?.initiatorType === 'link' && earlierEntry.isPreload === undefined,
    ['preload', 'same-document'],
    'the only entry belongs to a link element, whose response this use shares',
  ),
  inferred(
    ({ earlierEntry }) => earlierEntry !== undefined,
    ['same-document'],
    'the only entry belongs to an earlier use in this document',
  ),
];

/** The page would see deliveryType `cache-storage` in the other case. */
const handlerAnswers = workerAnswers.filter((answer) => answer !== 'service-worker/cache-storage');
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
  ...always,
  silent((seen) => delivery(seen) === undefined, 'the browser does not report deliveryType'),
  silent(
    ({ timing }) => timing.transferSize === undefined,
    'the browser does not report transferSize',
  ),
  inferred(
    (seen) => isCached(seen) && isUntouched(seen) && mayBeWorkerScript(seen.timing),
    ['memory', ...diskAnswers],
    'deliveryType is cache and the duration is 0: from memory, or a worker’s script',
  ),
  inferred(
    (seen) => delivery(seen) !== '' && isUntouched(seen),
    ['memory'],
    'deliveryType names a cache and the duration is 0',
  ),
  stated(
    (seen) => delivery(seen) === 'navigational-prefetch',
    ['prefetch/speculation'],
    'deliveryType is navigational-prefetch',
  ),
  stated(
    (seen) => delivery(seen) === 'cache-storage',
    ['service-worker/cache-storage'],
    'deliveryType is cache-storage',
  ),
  inferred(
    (seen) => isHidden(seen) && seen.mayBeBlocked === true && isInstant(seen),
    ['memory', 'blocked', 'failed'],
    'the page sees neither sizes nor times, and the duration is 0: never sent, or from memory',
  ),
  inferred(
    (seen) => isHidden(seen) && isPlainSameOrigin(seen) && !isInstant(seen),
    ['blocked', 'failed'],
    'neither sizes nor times, although a same-origin response without a redirect hides none: there was no response',
  ),
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
  { ...silent<Timed>(isHidden, notTold), isHidden: true },
  inferred(
    ({ timing }) => timing.responseStatus === 304,
    ['network/not-modified'],
    'the page itself sees the status 304',
  ),
  inferred(
    (seen) =>
      isCached(seen) && seen.timing.initiatorType === 'early-hints' && transferred(seen) === 0,
    ['early-hints'],
    'initiatorType is early-hints, and no further bytes were transferred',
  ),
  inferred(
    (seen) => isCached(seen) && transferred(seen) === 0 && isHandled(seen),
    handlerAnswers,
    'the fetch handler of a service worker answered',
  ),
  inferred(
    (seen) => isCached(seen) && transferred(seen) === 0 && mayBeHandled(seen) && !isPassed(seen),
    [...handlerAnswers, ...diskAnswers],
    'a service worker answered or passed the request on: its responses look like disk hits',
  ),
  inferred(
    (seen) => delivery(seen) === '' && isPart(seen),
    ['mixed'],
    'fewer bytes were transferred than the body has, without a content coding: the rest was cached',
  ),
  inferred(
    (seen) => isCached(seen) && transferred(seen) === 0 && endsBeforeStart(seen),
    diskAnswers,
    'deliveryType is cache, nothing was transferred, and the times are those of a worker’s script',
  ),
  inferred(
    (seen) =>
      isRace(seen.timing) && !isConfirmed(seen) && (seen.timing.finalResponseHeadersStart ?? 0) > 0,
    ['network'],
    'the network won the race against the service worker',
  ),
  inferred(
    isConfirmed,
    ['revalidated/http-cache'],
    'deliveryType is cache, and only headers were transferred: a 304',
  ),
  silent(
    (seen) => isCached(seen) && seen.timing.firstInterimResponseStart === undefined,
    'the browser does not report firstInterimResponseStart, so memory and disk look the same',
  ),
  inferred(
    ({ timing }) =>
      timing.deliveryType === 'cache' &&
      timing.transferSize === 0 &&
      (timing.firstInterimResponseStart ?? 0) > 0 &&
      timing.firstInterimResponseStart === timing.responseStart &&
      timing.finalResponseHeadersStart === 0,
    diskAnswers,
    'deliveryType is cache, nothing was transferred, and no headers are from the network',
  ),
  silent(isCached, 'deliveryType is cache, but the times match neither a memory nor a disk hit'),
  silent((seen) => delivery(seen) !== '', 'deliveryType has a value that is not known here'),
  silent(
    (seen) => transferred(seen) === 0,
    'nothing was transferred, although deliveryType names no cache',
  ),
  // What was cut short, or could not be decoded, is reported as transferred, although it was stored.
  inferred(
    (seen) => isStored(seen) && !mayBeHandled(seen) && !isHandled(seen),
    diskAnswers,
    'the response names no protocol, and no headers are from the network: it was stored',
  ),
  // A document that a service worker answered looks as if it had been transferred.
  inferred(
    (seen) => seen.timing.finalResponseHeadersStart === 0 && isHandled(seen),
    [...handlerAnswers, 'service-worker/cache-storage'],
    'the fetch handler of a service worker answered',
  ),
  inferred(
    (seen) => seen.timing.finalResponseHeadersStart === 0 && mayBeHandled(seen),
    [...handlerAnswers, 'service-worker/cache-storage'],
    'a service worker was started, and no headers are from the network',
  ),
  silent(
    ({ timing }) => timing.finalResponseHeadersStart === 0,
    'deliveryType names no cache, but no headers are from the network',
  ),
  inferred(
    (seen) => isBodiless(seen) && (seen.bodyBytes ?? 0) > 0,
    ['revalidated/memory-cache'],
    'only headers were transferred, but there is a body: a 304',
  ),
  inferred(
    (seen) => isBodiless(seen) && seen.bodyBytes === undefined && !isCertainlyEmpty(seen.timing),
    ['network', 'revalidated/memory-cache'],
    'only headers were transferred: an empty response, or a 304 for the memory cache',
  ),
  inferred(
    ({ timing }) => timing.initiatorType === 'early-hints',
    ['network', 'early-hints'],
    'requested by an early hint, and its bytes were still arriving from the network',
  ),
  // Chromium cuts a range out of a stored response that the origin confirmed, and reports it as fully transferred.
  inferred(
    ({ timing }) => timing.responseStatus === 206 && !timing.nextHopProtocol,
    ['network', 'revalidated/http-cache'],
    'deliveryType names no cache; the range is from the network, or a 304 confirmed the stored one',
  ),
  inferred(
    (seen) => seen.timing.nextHopProtocol === '' && !mayBeHandled(seen),
    ['revalidated/http-cache'],
    'the response names no protocol, so it was stored, and headers are from the network: a 304',
  ),
  inferred(() => true, ['network'], 'deliveryType names no cache, and bytes were transferred'),
];
