import type { HarEvidence } from '../attribution/evidence.ts';
import type { HarEntry } from './schema.ts';
import { fieldValue } from '../load/header-fields.ts';

/**
 * DevTools' evidence on one request, from its HAR entry; null when `_fromCache` names an unknown cache: then nothing
 * may be concluded. `serviceWorkerFetchStatus` is not included, because it is in another entry.
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
    ...(isShort(response) ? { isShort: true } : {}),
    fetchedViaServiceWorker: response._fetchedViaServiceWorker ?? false,
    ...present({
      serviceWorkerResponseSource: response._serviceWorkerResponseSource,
      cacheStorageName: response._responseCacheStorageCacheName,
      routerMatched: response._serviceWorkerRouterMatchedSourceType,
      routerActual: response._serviceWorkerRouterActualSourceType,
      cacheControl: fieldValue(headers, 'cache-control'),
      error: response._error,
      age: fieldValue(headers, 'age'),
      date: fieldValue(headers, 'date'),
    }),
  };
}

/** A header section is rarely longer, bytes. */
const mostHeaderBytes = 1500;

/** DevTools reports no body bytes, although the page got some. */
function isShort({ _transferSize, bodySize, content }: HarEntry['response']): boolean {
  const transferSize = _transferSize ?? 0;
  if (transferSize <= 0 || transferSize > mostHeaderBytes || (bodySize ?? 0) > 0) return false;
  return (content?.size ?? 0) > transferSize;
}

/** The members that have a value. */
function present<Key extends string>(
  members: Record<Key, string | null | undefined>,
): Partial<Record<Key, string>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => typeof value === 'string' && value !== ''),
  ) as Partial<Record<Key, string>>;
}
