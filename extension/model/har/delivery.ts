import type { Entry } from 'har-format';
import { attribute } from '../attribution/cache-source.ts';
import type { Evidence, HarEvidence } from '../attribution/evidence.ts';
import { knownFields } from '../known-fields.ts';

/** How a resource was delivered, in DevTools' own fields of a HAR entry and of its response. */
export interface HarDelivery {
  /** DevTools shows it as `(memory cache)` or `(disk cache)`. */
  isCached: boolean;
  entry: Pick<Entry, '_fromCache'>;
  response: Record<`_${string}`, unknown>;
}

/** As DevTools reported it, if it watched; otherwise as DevTools would write the verdict. */
export function harDelivery(evidence: Evidence): HarDelivery {
  const delivery = evidence.devtools ?? fromVerdict(evidence);
  return {
    isCached: delivery.fromCache !== undefined,
    entry: knownFields({ _fromCache: delivery.fromCache }),
    response: knownFields({
      _fetchedViaServiceWorker: delivery.fetchedViaServiceWorker,
      _serviceWorkerResponseSource: delivery.serviceWorkerResponseSource,
      _responseCacheStorageCacheName: delivery.cacheStorageName,
      _serviceWorkerRouterMatchedSourceType: delivery.routerMatched,
      _serviceWorkerRouterActualSourceType: delivery.routerActual,
    }),
  };
}

/** Sources that DevTools calls the disk cache. */
const onDisk: ReadonlySet<string> = new Set([
  'disk',
  'stale-while-revalidate',
  'early-hints',
  'prefetch/link',
  'service-worker/http-cache',
  'service-worker/cache-storage',
]);

/** DevTools' names for the source of a service worker's response, by our detail. */
const workerSources: Readonly<Record<string, string>> = {
  network: 'network',
  revalidated: 'network',
  'http-cache': 'http-cache',
  'cache-storage': 'cache-storage',
  synthetic: 'fallback-code',
};

function fromVerdict(evidence: Evidence): Partial<HarEvidence> {
  const { source, detail, cacheStorageName, router } = attribute(evidence);
  const isOnDisk = onDisk.has(source) || onDisk.has(`${source}/${detail}`);
  const isWorker = source === 'service-worker';
  return knownFields({
    fromCache: isOnDisk ? ('disk' as const) : source === 'memory' ? source : null,
    fetchedViaServiceWorker: isWorker,
    serviceWorkerResponseSource: isWorker ? workerSources[detail ?? ''] : null,
    cacheStorageName,
    routerMatched: router?.matched,
    routerActual: router?.actual,
  });
}
