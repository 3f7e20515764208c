import type { IncomingHttpHeaders } from 'node:http';

/** Directives of a Cache-Control field by their names in lower case; of one that stands there twice the first (RFC 9111 section 4.2.1). */
export type CacheDirectives = ReadonlyMap<string, string>;

/** Reads Cache-Control (RFC 9111 section 5.2). */
export function cacheDirectives(field: string | undefined): CacheDirectives {
  const directives = new Map<string, string>();
  for (const [, name = '', quoted, token] of (field ?? '').matchAll(
    /([^\s,=]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? token ?? '');
  }
  return directives;
}

function secondsMs(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : null;
}

/** Statuses that this cache understands and may keep when the response says for how long (RFC 9111 section 3). */
const storable = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);

/**
 * Whether a shared cache may keep the response to a GET without Authorization (RFC 9111 section 3), and this one does: it
 * takes no guess at freshness, and keeps neither parts nor cookies.
 */
export function mayStore(status: number, headers: IncomingHttpHeaders): boolean {
  const directives = cacheDirectives(headers['cache-control']);
  if (!storable.has(status) || headers['set-cookie'] !== undefined) return false;
  if (directives.has('no-store') || directives.has('private')) return false;
  if ((headers.vary ?? '').split(',').some((name) => name.trim() === '*')) return false;
  const hasValidator = headers.etag !== undefined || headers['last-modified'] !== undefined;
  return hasValidator || lifetimeMs(headers) > 0;
}

/** How long a shared cache may serve the response without asking, ms (RFC 9111 section 4.2.1); 0: not at all. */
export function lifetimeMs(headers: IncomingHttpHeaders): number {
  const directives = cacheDirectives(headers['cache-control']);
  if (directives.has('no-cache')) return 0;
  const given = secondsMs(directives.get('s-maxage')) ?? secondsMs(directives.get('max-age'));
  if (given !== null) return given;
  if (headers.expires === undefined) return 0;
  // An Expires that is no date, such as 0, means "already expired" (section 5.3).
  const expires = Date.parse(headers.expires);
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : Math.max(0, expires - date);
}

/** Age of a response when it arrived, ms (RFC 9111 section 4.2.3), its own delay on the way included. */
export function initialAgeMs(
  headers: IncomingHttpHeaders,
  askedAt: number,
  cameAt: number,
): number {
  const date = Date.parse(headers.date ?? '');
  const apparentMs = Number.isNaN(date) ? 0 : Math.max(0, cameAt - date);
  const correctedMs = (secondsMs(headers.age) ?? 0) + (cameAt - askedAt);
  return Math.max(apparentMs, correctedMs);
}
