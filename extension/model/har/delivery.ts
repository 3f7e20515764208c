import type { Entry } from 'har-format';
import { attribute } from '../attribution/cache-source.ts';
import type { Evidence, HarEvidence } from '../attribution/evidence.ts';

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
  const { fromCache } = delivery;
  return {
    isCached: fromCache !== undefined,
    entry: fromCache === undefined ? {} : { _fromCache: fromCache },
    response: Object.fromEntries(
      [
        ['_fetchedViaServiceWorker', delivery.fetchedViaServiceWorker],
        ['_serviceWorkerResponseSource', delivery.serviceWorkerResponseSource],
        ['_responseCacheStorageCacheName', delivery.cacheStorageName],
        ['_serviceWorkerRouterMatchedSourceType', delivery.routerMatched],
        ['_serviceWorkerRouterActualSourceType', delivery.routerActual],
      ].filter(([, value]) => value !== undefined),
    ),
  };
}

type Delivery = Pick<
  HarEvidence,
  | 'fromCache'
  | 'fetchedViaServiceWorker'
  | 'serviceWorkerResponseSource'
  | 'cacheStorageName'
  | 'routerMatched'
  | 'routerActual'
>;

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

function fromVerdict(evidence: Evidence): Delivery {
  const { source, detail, cacheStorageName, router } = attribute(evidence);
  const isOnDisk = onDisk.has(source) || onDisk.has(`${source}/${detail}`);
  const isWorker = source === 'service-worker';
  const workerSource = isWorker ? workerSources[detail ?? ''] : undefined;
  return {
    fetchedViaServiceWorker: isWorker,
    ...(source === 'memory' && { fromCache: 'memory' }),
    ...(isOnDisk && { fromCache: 'disk' }),
    ...(workerSource && { serviceWorkerResponseSource: workerSource }),
    ...(cacheStorageName && { cacheStorageName }),
    ...(router?.matched && { routerMatched: router.matched }),
    ...(router?.actual && { routerActual: router.actual }),
  };
}
