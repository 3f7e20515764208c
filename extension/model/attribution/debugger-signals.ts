import { isUnsent, mayHaveBody } from './failure.ts';
import { inferred, read, type Reading, type Rule, stated } from './reading.ts';
import { mostHeaderBytes } from './depth.ts';
import type { NetworkEvidence } from './evidence.ts';
import { isRaceWonByNetwork, workerAnswers, workerRules } from './worker-signals.ts';

/** Interprets the DevTools protocol's Network domain. null: it watched and reported no request for this use. */
export function readDebugger(evidence: NetworkEvidence | null): Reading {
  if (evidence === null) {
    return { leaves: null, says: 'the Network domain reported no request for this use' };
  }
  return read(rules, evidence, 'the Network domain reported neither a cache nor network headers');
}

/** Neither a response nor its headers arrived. */
const isUnanswered = ({ status, extraInfoStatus }: NetworkEvidence): boolean =>
  status === 0 && extraInfoStatus === null;

/** It is marked as a disk hit although bytes were received; or the page got status 200 and the network sent a range. */
const isPartCached = ({
  fromDiskCache,
  status,
  encodedDataLength,
  extraInfoStatus,
}: NetworkEvidence) =>
  (fromDiskCache && status === 206 && (encodedDataLength ?? 0) > 0) ||
  (extraInfoStatus === 206 && status === 200);

/** A stored response was used that `<link rel=prefetch>` or speculation rules had fetched. */
const isPrefetched = ({ fromPrefetchCache, isPrefetch }: NetworkEvidence): boolean =>
  fromPrefetchCache && !isPrefetch;

const isMuteWorker = (seen: NetworkEvidence): boolean =>
  seen.fromServiceWorker && !isRaceWonByNetwork(seen);

/**
 * Whether the browser requested it while the service worker started (navigation preload): the document's entry has its
 * headers.
 */
const isPreloaded = (seen: NetworkEvidence): boolean =>
  isMuteWorker(seen) &&
  seen.serviceWorkerResponseSource === 'network' &&
  !seen.serviceWorkerFetchStatus &&
  seen.extraInfoStatus !== null;

const preloadedByWorker: readonly Rule<NetworkEvidence>[] = [
  stated(
    (seen) => isPreloaded(seen) && seen.extraInfoStatus === 304,
    ['service-worker/revalidated'],
    'served by a service worker; the origin answered its navigation preload with 304',
  ),
  stated(
    isPreloaded,
    ['service-worker/network'],
    'served by a service worker; the origin answered its navigation preload',
  ),
];

/** In order of precedence: the flags of an older response remain set on its later uses. */
const rules: readonly Rule<NetworkEvidence>[] = [
  stated(
    ({ isBackForwardRestore }) => isBackForwardRestore === true,
    ['bfcache'],
    'frameNavigated: BackForwardCacheRestore',
  ),
  stated(({ protocol }) => protocol === 'data', ['data'], 'the protocol is data'),
  stated(({ protocol }) => protocol === 'blob', ['blob'], 'the protocol is blob'),
  stated(
    (seen) => isUnanswered(seen) && (Boolean(seen.blockedReason) || isUnsent(seen.errorText)),
    ['blocked'],
    'loadingFailed with a blockedReason, and no bytes from the network',
  ),
  stated(
    ({ errorText, blockedReason, corsError, isCanceled, status }) =>
      Boolean(blockedReason || corsError || (errorText && !isCanceled)) &&
      !(status > 0 && (mayHaveBody(errorText) || errorText === 'net::ERR_FAILED')),
    ['failed'],
    'loadingFailed',
  ),
  stated(
    ({ status, isCanceled }) => status === 0 && isCanceled === true,
    ['failed'],
    'loadingFailed: aborted before a response arrived',
  ),
  stated(
    ({ requestServedFromCache }) => requestServedFromCache,
    ['memory', 'preload', 'same-document'],
    'requestServedFromCache: the renderer held it',
  ),
  ...preloadedByWorker,
  ...workerRules<NetworkEvidence>(({ fromServiceWorker }) => fromServiceWorker),
  inferred(isMuteWorker, workerAnswers, 'served by a service worker'),
  stated(({ fromEarlyHints }) => fromEarlyHints, ['early-hints'], 'fromEarlyHints'),
  stated(
    (seen) => isPrefetched(seen) && seen.fromDiskCache,
    ['prefetch/link'],
    'fromPrefetchCache and fromDiskCache',
  ),
  inferred(
    (seen) => isPrefetched(seen) && seen.isNavigation === true,
    ['prefetch/speculation', 'prefetch/link'],
    'fromPrefetchCache, and not from disk: fetched by speculation rules, or by a link and still arriving',
  ),
  stated(
    isPrefetched,
    ['prefetch/link'],
    'fromPrefetchCache, and not a document: a link fetched it, and it was still arriving',
  ),
  inferred(
    (seen) => isPartCached(seen) && seen.isCutShort === true,
    ['disk', 'mixed'],
    'a part of the body is from the HTTP cache; it was cut short, as the answer for the rest did not fit',
  ),
  stated(
    isPartCached,
    ['mixed'],
    'a part of the body is from the HTTP cache and a part from the network',
  ),
  inferred(
    ({ extraInfoStatus }) => extraInfoStatus === 206,
    ['network', 'mixed'],
    'a part of the body is from the network',
  ),
  stated(
    ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === true,
    ['stale-while-revalidate'],
    'fromDiskCache, and a request to revalidate it started immediately',
  ),
  stated(
    ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === false,
    ['disk'],
    'fromDiskCache, without a request to revalidate it',
  ),
  stated(({ fromDiskCache }) => fromDiskCache, ['disk', 'stale-while-revalidate'], 'fromDiskCache'),
  stated(
    ({ extraInfoStatus, status }) => extraInfoStatus === 304 && status === 304,
    ['revalidated/memory-cache', 'network/not-modified'],
    'the origin answered 304, and so did the HTTP cache',
  ),
  inferred(
    ({ extraInfoStatus, hasFurtherBytes, isCutShort }) =>
      extraInfoStatus === 304 && hasFurtherBytes === true && isCutShort === true,
    ['revalidated/http-cache', 'mixed'],
    'the origin answered 304 for a part of the body, and the answer for the rest did not fit',
  ),
  stated(
    ({ extraInfoStatus, hasFurtherBytes }) => extraInfoStatus === 304 && hasFurtherBytes === true,
    ['mixed'],
    'the origin answered 304 for a part of the body, and then sent the rest',
  ),
  stated(
    ({ extraInfoStatus }) => extraInfoStatus === 304,
    ['revalidated/http-cache'],
    'the origin answered 304, and the HTTP cache had the body',
  ),
  stated(
    ({ extraInfoStatus }) => extraInfoStatus !== null,
    ['network'],
    'response headers are from the network',
  ),
  inferred(
    ({ status, encodedDataLength }) => status === 200 && (encodedDataLength ?? 0) > mostHeaderBytes,
    ['network', 'prefetch/speculation'],
    'more bytes from the network than the headers of a 304 have',
  ),
  inferred(
    // Of a refused response, as that of a service worker's missing script, nobody reads the body.
    ({ status, encodedDataLength }) => status > 0 && status < 400 && encodedDataLength === 0,
    ['disk', 'prefetch/link', 'stale-while-revalidate', 'early-hints'],
    'no bytes from the network, and not from the memory of the renderer',
  ),
];
