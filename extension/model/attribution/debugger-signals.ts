import { read, type Reading, type Rule } from './cache-source-reading.ts';
import type { NetworkEvidence } from './evidence.ts';
import { isRaceWonByNetwork, workerRules } from './worker-signals.ts';

/** What the DevTools protocol's Network domain says. null: it watched, and reported no request for this use. */
export function readDebugger(evidence: NetworkEvidence | null): Reading {
  if (evidence === null) {
    return { leaves: null, says: 'the Network domain reported no request for this use' };
  }
  return read(rules, evidence, 'the Network domain reported neither a cache nor network headers');
}

const isMuteWorker = (seen: NetworkEvidence): boolean =>
  seen.fromServiceWorker && !isRaceWonByNetwork(seen);

/** In the order in which the signals outrank each other: an older response's flags stick to its later uses. */
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
    when: ({ requestServedFromCache }) => requestServedFromCache,
    leaves: ['memory', 'preload', 'same-document'],
    says: 'requestServedFromCache: the renderer held it',
    isOutright: true,
  },
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
    when: ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === true,
    leaves: ['stale-while-revalidate'],
    says: 'fromDiskCache, and a request that renews it began at once',
    isOutright: true,
  },
  {
    when: ({ fromDiskCache, hasUnfinishedTwin }) => fromDiskCache && hasUnfinishedTwin === false,
    leaves: ['disk'],
    says: 'fromDiskCache, and no request that renews it',
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
    says: 'response headers came over the network',
    isOutright: true,
  },
];
