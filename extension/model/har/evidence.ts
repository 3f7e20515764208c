import type { HarEvidence } from './evidence.ts';
import type { HarEntry } from './har-schema.ts';
import { fieldValue } from './header-fields.ts';

/**
 * What DevTools says of one request in its HAR entry; null when `_fromCache` names a cache that is not known here: then
 * nothing may be concluded. `serviceWorkerFetchStatus` is not in it, because it stands in another entry.
 */
export function harEvidence({ _fromCache, response }: HarEntry): HarEvidence | null {
  const fromCache = _fromCache ?? undefined;
  if (fromCache !== undefined && fromCache !== 'memory' && fromCache !== 'disk') return null;
  const headers = (response.headers ?? []).map(({ name, value }) => [name, value] as const);
  const transferSize = response._transferSize ?? -1;
  return {
    status: response.status,
    ...(fromCache && { fromCache }),
    transferSize: transferSize < 0 ? null : transferSize,
    fetchedViaServiceWorker: response._fetchedViaServiceWorker ?? false,
    ...present({
      serviceWorkerResponseSource: response._serviceWorkerResponseSource,
      cacheStorageName: response._responseCacheStorageCacheName,
      routerMatched: response._serviceWorkerRouterMatchedSourceType,
      routerActual: response._serviceWorkerRouterActualSourceType,
      cacheControl: fieldValue(headers, 'cache-control'),
      age: fieldValue(headers, 'age'),
      date: fieldValue(headers, 'date'),
    }),
  };
}

/** The members that say something. */
function present<Key extends string>(
  members: Record<Key, string | null | undefined>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => typeof value === 'string' && value !== ''),
  ) as Partial<Record<Key, string>>;
}
