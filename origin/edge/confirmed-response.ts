import type { IncomingHttpHeaders } from 'node:http';
import { cachingOf, endToEnd, type Moments, type StoredResponse } from './stored-response.ts';

/** RFC 9111 section 4.3.4: a 304 with a strong validator that the stored response has not is of another response. */
export function isOfAnother(etag: string | undefined, { headers }: StoredResponse): boolean {
  return etag !== undefined && !etag.startsWith('W/') && etag !== headers.etag;
}

/**
 * RFC 9111 section 4.3.4: the fields of a 304 replace the stored ones. The stored Age is dropped: it belongs to the
 * previous response.
 */
export function confirmed(
  stored: StoredResponse,
  confirming: IncomingHttpHeaders,
  request: IncomingHttpHeaders,
  moments: Moments,
): StoredResponse {
  const { age: _age, ...former } = stored.headers;
  const { 'content-length': _length, ...fresh } = endToEnd(confirming);
  const headers = { ...former, ...fresh };
  return { ...stored, headers, ...cachingOf(stored.status, headers, request, moments) };
}
