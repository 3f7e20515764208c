import { isUnsent, mayHaveBody } from './failure.ts';
import { read, type Reading, type Rule } from './reading.ts';
import type { NetworkEvidence } from './evidence.ts';
import { isRaceWonByNetwork, workerRules } from './worker-signals.ts';

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
  {
    when: (seen) => isPreloaded(seen) && seen.extraInfoStatus === 304,
    leaves: ['service-worker/revalidated'],
    says: 'served by a service worker; the origin answered its navigation preload with 304',
    isOutright: true,
  },
  {
    when: isPreloaded,
    leaves: ['service-worker/network'],
    says: 'served by a service worker; the origin answered its navigation preload',
    isOutright: true,
  },
];

/** In order of precedence: the flags of an older response remain set on its later uses. */
const rules: readonly Rule<NetworkEvidence>[] = [
  {
    when: ({ isBackForwardRestore }) => isBackForwardRestore === true,
    leaves: ['bfcache'],
    says: 'frameNavigated: BackForwardCacheRestore',
    isOutright: true,
  },
  {
    when: ({ protocol }) => protocol === 'data',
    leaves: ['data'],
    says: 'the protocol is data',
    isOutright: true,
  },
  {
    when: ({ protocol }) => protocol === 'blob',
    leaves: ['blob'],
    says: 'the protocol is blob',
    isOutright: true,
  },
  {
    when: (seen) => isUnanswered(seen) && (Boolean(seen.blockedReason) || isUnsent(seen.errorText)),
    leaves: ['blocked'],
    says: 'loadingFailed with a blockedReason, and no bytes from the network',
    isOutright: true,
  },
  {
    when: ({ errorText, blockedReason, corsError, isCanceled, status }) =>
      Boolean(blockedReason || corsError || (errorText && !isCanceled)) &&
      !(status > 0 && mayHaveBody(errorText)),
    leaves: ['failed'],
    says: 'loadingFailed',
    isOutright: true,
  },
  {
    when: ({ status, isCanceled }) => status === 0 && isCanceled === true,
    leaves: ['failed'],
    says: 'loadingFailed: aborted before a response arrived',
    isOutright: true,
  },
  {
    when: ({ requestServedFromCache }) => requestServedFromCache,
    leaves: ['memory', 'preload', 'same-document'],
    says: 'requestServedFromCache: the renderer held it',
    isOutright: true,
  },
  ...preloadedByWorker,
  ...workerRules<NetworkEvidence>(({ fromServiceWorker }) => fromServiceWorker),
  {
    when: isMuteWorker,
    leaves: [
      'service-worker/network',
      'service-worker/http-cache',
      'service-worker/revalidated',
      'service-worker/cache-storage',
      'service-worker/synthetic',
    ],
    says: 'served by a service worker',
  },
  {
    when: ({ fromEarlyHints }) => fromEarlyHints,
    leaves: ['early-hints'],
    says: 'fromEarlyHints',
    isOutright: true,
  },
  {
    when: ({ fromPrefetchCache, fromDiskCache }) => fromPrefetchCache && fromDiskCache,
    leaves: ['prefetch/link'],
    says: 'fromPrefetchCache and fromDiskCache',
    isOutright: true,
  },
  {
    when: ({ fromPrefetchCache }) => fromPrefetchCache,
    leaves: ['prefetch/speculation'],
    says: 'fromPrefetchCache, and not from disk',
    isOutright: true,
  },
  {
    when: (seen) => isPartCached(seen),
    leaves: ['mixed'],
    says: 'a part of the body is from the HTTP cache and a part from the network',
    isOutright: true,
  },
  {
    when: ({ extraInfoStatus }) => extraInfoStatus === 206,
    leaves: ['network', 'mixed'],
    says: 'a part of the body is from the network',
  },
  {
    when: ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === true,
    leaves: ['stale-while-revalidate'],
    says: 'fromDiskCache, and a request to revalidate it started immediately',
    isOutright: true,
  },
  {
    when: ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === false,
    leaves: ['disk'],
    says: 'fromDiskCache, without a request to revalidate it',
    isOutright: true,
  },
  {
    when: ({ fromDiskCache }) => fromDiskCache,
    leaves: ['disk', 'stale-while-revalidate'],
    says: 'fromDiskCache',
    isOutright: true,
  },
  {
    when: ({ extraInfoStatus, status }) => extraInfoStatus === 304 && status === 304,
    leaves: ['revalidated/memory-cache', 'network/not-modified'],
    says: 'the origin answered 304, and so did the HTTP cache',
    isOutright: true,
  },
  {
    when: ({ extraInfoStatus }) => extraInfoStatus === 304,
    leaves: ['revalidated/http-cache'],
    says: 'the origin answered 304, and the HTTP cache had the body',
    isOutright: true,
  },
  {
    when: ({ extraInfoStatus }) => extraInfoStatus !== null,
    leaves: ['network'],
    says: 'response headers are from the network',
    isOutright: true,
  },
  {
    when: ({ status, encodedDataLength }) => status > 0 && encodedDataLength === 0,
    leaves: ['disk', 'prefetch/link', 'stale-while-revalidate', 'early-hints'],
    says: 'no bytes from the network, and not from the memory of the renderer',
  },
];
