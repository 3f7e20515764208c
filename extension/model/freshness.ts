import { fieldValue, type HeaderFields } from './header-fields.ts';

/**
 * Until when a private cache may serve a response without asking, `stale-while-revalidate` included (RFC 9111 section
 * 4.2, RFC 5861 section 3): ms since the epoch. `receivedAt` is when the response came. A response that says nothing of
 * its freshness is stale at once.
 */
export function usableUntil(headers: HeaderFields, receivedAt: number): number {
  const directives = cacheDirectives(headers);
  if (directives.has('no-store') || directives.has('no-cache')) return receivedAt;
  const staleMs = seconds(directives.get('stale-while-revalidate')) ?? 0;
  return receivedAt - ageMs(headers, receivedAt) + lifetimeMs(headers, directives) + staleMs;
}

function cacheDirectives(headers: HeaderFields): Map<string, string> {
  const directives = new Map<string, string>();
  for (const directive of (fieldValue(headers, 'cache-control') ?? '').split(',')) {
    const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
    // Of a directive that stands there twice the first one counts (RFC 9111 section 4.2.1).
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), value);
  }
  return directives;
}

function seconds(value: string | undefined): number | null {
  const [, digits] = /^"?(\d+)"?$/.exec(value ?? '') ?? [];
  return digits === undefined ? null : Number(digits) * 1000;
}

/** RFC 9111 section 4.2.1; without an expiry a tenth of the time since Last-Modified (section 4.2.2), as in Chromium. */
function lifetimeMs(headers: HeaderFields, directives: ReadonlyMap<string, string>): number {
  const maxAgeMs = seconds(directives.get('max-age'));
  if (maxAgeMs !== null) return maxAgeMs;
  const date = dateField(headers, 'date');
  if (date === null) return 0;
  if (fieldValue(headers, 'expires') !== null) {
    // An unreadable Expires, such as 0, means "already expired" (section 5.3).
    return Math.max(0, (dateField(headers, 'expires') ?? date) - date);
  }
  const modified = dateField(headers, 'last-modified');
  return modified === null || directives.has('must-revalidate')
    ? 0
    : Math.max(0, (date - modified) / 10);
}

/** RFC 9111 section 4.2.3, without the response's delay. */
function ageMs(headers: HeaderFields, receivedAt: number): number {
  const date = dateField(headers, 'date') ?? receivedAt;
  return Math.max(0, receivedAt - date, seconds(fieldValue(headers, 'age') ?? undefined) ?? 0);
}

function dateField(headers: HeaderFields, name: string): number | null {
  const at = Date.parse(fieldValue(headers, name) ?? '');
  return Number.isNaN(at) ? null : at;
}
