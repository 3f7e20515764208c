import {
  type CacheableResponse,
  lifetimeMs,
  sharedCache,
} from '@cachescope/model/caching/freshness.ts';
import { fieldValue } from '@cachescope/model/load/header-fields.ts';
import { namedInConnection } from './connection-fields.ts';

/**
 * Statuses of RFC 9110 without cache-specific requirements beyond those of every final response: the condition of
 * `must-understand`.
 */
const understood: ReadonlySet<number> = new Set([
  200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 500, 501, 502, 503,
  504,
]);

/**
 * Fields that say how a response may be used. Where Connection names one, it is not stored (RFC 9111 section 3.1), and
 * the response would be used in ways that the upstream excluded.
 */
const governing =
  /^(age|cache-control|cdn-cache-control|content-.*|date|etag|expires|last-modified|set-cookie|vary)$/;

/**
 * Whether a shared cache may store the response to a GET without Authorization (RFC 9111 section 3), and this one does:
 * it stores neither partial responses nor responses with Set-Cookie, and nothing that it could never serve.
 */
export function mayStore(response: CacheableResponse): boolean {
  const { headers } = response;
  const status = response.status ?? 0;
  const directives = sharedCache.directives(response);
  if (status < 200 || status > 599 || status === 206 || status === 304) return false;
  const named = namedInConnection(fieldValue(headers, 'connection'));
  if ([...named].some((name) => name !== 'content-length' && governing.test(name))) return false;
  if (fieldValue(headers, 'set-cookie') !== null || directives.has('private')) return false;
  // RFC 9111 section 5.2.2.3: a cache that understands the status ignores an accompanying no-store.
  if (directives.has('must-understand')) {
    if (!understood.has(status)) return false;
  } else if (directives.has('no-store')) return false;
  const vary = fieldValue(headers, 'vary') ?? '';
  if (vary.split(',').some((name) => name.trim() === '*')) return false;
  const hasValidator = ['etag', 'last-modified'].some((name) => fieldValue(headers, name) !== null);
  return (status === 200 && hasValidator) || lifetimeMs(response, sharedCache) > 0;
}
