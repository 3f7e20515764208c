import { type HarEvidence, mostHeaderBytes } from '../attribution/evidence.ts';
import type { HarEntry } from './schema.ts';
import { knownFields } from '../known-fields.ts';
import { fieldValue } from '../load/header-fields.ts';

/**
 * DevTools' evidence on one request, from its HAR entry; null when `_fromCache` names an unknown cache: then nothing
 * may be concluded. `serviceWorkerFetchStatus` is not included, because it is in another entry.
 */
export function harEvidence(entry: HarEntry): HarEvidence | null {
  const { _fromCache, response } = entry;
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
      isLonger: isLonger(response) || null,
      isCutShort: isCutShort(response, fieldValue(headers, 'content-length')) || null,
      ...(isShort(response) ? whatWasShort(entry) : {}),
      isWithoutHeaders: isWithoutHeaders(response) || null,
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

/** DevTools reports no body bytes, although the page got some: a small encoded body, or a 304. */
export function isShort({ _transferSize, bodySize, content }: HarEntry['response']): boolean {
  const transferSize = _transferSize ?? 0;
  if (transferSize <= 0 || transferSize > mostHeaderBytes || (bodySize ?? 0) > 0) return false;
  return (content?.size ?? 0) > transferSize;
}

/** Chromium ends a range that is partly stored where the answer for the rest does not fit, without an error. */
function isCutShort({ status, content }: HarEntry['response'], length: string | null) {
  const size = content?.size ?? 0;
  return status === 206 && 0 < size && size < Number(length ?? 0);
}

/** What decides whether it was a small encoded body, or a 304. */
function whatWasShort({ _resourceType, response: { headers = [] } }: HarEntry) {
  const isCoded = headers.some(({ name }) => name.toLowerCase() === 'content-encoding');
  return {
    isUncoded: (headers.length > 0 && !isCoded) || null,
    isFetch: _resourceType === 'fetch' || _resourceType === 'xhr' || null,
  };
}

/** Of an image that could not be decoded, DevTools counts the bytes of the body alone, whatever they came from. */
function isWithoutHeaders({ status, _transferSize, content }: HarEntry['response']): boolean {
  return status === 200 && (content?.size ?? 0) > 0 && _transferSize === content?.size;
}

/** After a 304, another answer followed. */
function isLonger({ status, _transferSize, headersSize }: HarEntry['response']): boolean {
  return status === 304 && (headersSize ?? -1) > 0 && (_transferSize ?? 0) > (headersSize ?? 0);
}
