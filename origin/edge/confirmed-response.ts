import type { IncomingHttpHeaders } from 'node:http';
import { endToEnd } from './connection-fields.ts';
import { cachingOf, type Moments, type StoredResponse } from './stored-response.ts';

/** RFC 9111 section 4.3.4: a 304 with a strong validator that the stored response has not is of another response. */
export function isOfAnother(etag: string | undefined, { headers }: StoredResponse): boolean {
  return etag !== undefined && !etag.startsWith('W/') && etag !== headers.etag;
}

/**
 * RFC 9111 section 4.3.4: the fields of a 304 replace the stored ones. The stored Age is dropped: it belongs to the
 * previous response. `sent`: the fields of the request as the upstream received them.
 */
export function confirmed(
  stored: StoredResponse,
  confirming: IncomingHttpHeaders,
  sent: IncomingHttpHeaders,
  moments: Moments,
): StoredResponse {
  const { age: _age, ...former } = stored.headers;
  const { 'content-length': _length, ...fresh } = endToEnd(confirming);
  const headers = { ...former, ...fresh };
  const caching = cachingOf(stored.status, { ...former, ...confirming }, sent, moments);
  return { ...stored, headers, ...caching };
}
