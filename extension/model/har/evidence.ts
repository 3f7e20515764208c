import type { HarEvidence } from '../attribution/evidence.ts';
import type { HarEntry } from './schema.ts';
import { knownFields } from '../known-fields.ts';
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
    transferSize: transferSize < 0 ? null : transferSize,
    fetchedViaServiceWorker: response._fetchedViaServiceWorker ?? false,
    ...knownFields({
      fromCache,
      isShort: isShort(response) || null,
      serviceWorkerResponseSource: response._serviceWorkerResponseSource || null,
      cacheStorageName: response._responseCacheStorageCacheName || null,
      routerMatched: response._serviceWorkerRouterMatchedSourceType || null,
      routerActual: response._serviceWorkerRouterActualSourceType || null,
      cacheControl: fieldValue(headers, 'cache-control') || null,
      error: response._error || null,
      age: fieldValue(headers, 'age') || null,
      date: fieldValue(headers, 'date') || null,
    }),
  };
}

/** A header section is rarely longer, bytes. */
const mostHeaderBytes = 1500;

/** DevTools reports no body bytes, although the page got some: a small encoded body, or a 304. */
export function isShort({ _transferSize, bodySize, content }: HarEntry['response']): boolean {
  const transferSize = _transferSize ?? 0;
  if (transferSize <= 0 || transferSize > mostHeaderBytes || (bodySize ?? 0) > 0) return false;
  return (content?.size ?? 0) > transferSize;
}
