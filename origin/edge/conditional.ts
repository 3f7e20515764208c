import type { IncomingHttpHeaders } from 'node:http';
import { httpDate } from '@cachescope/model/caching/http-date.ts';

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/**
 * Whether a request's conditions say that the client has the response already, so that 304 is the answer (RFC 9110
 * section 13.2.2). If-None-Match compares weakly, and where it stands If-Modified-Since does not count.
 */
export function isNotModified(request: IncomingHttpHeaders, stored: IncomingHttpHeaders): boolean {
  const tags = request['if-none-match'];
  if (tags !== undefined) {
    const { etag } = stored;
    if (tags.trim() === '*') return true;
    return etag !== undefined && tags.split(',').some((tag) => opaque(tag) === opaque(etag));
  }
  // A date that is none does not count. Without Last-Modified the response is as old as its Date (RFC 9111 section 4.3.2).
  const now = Date.now();
  const since = httpDate(request['if-modified-since'] ?? null, now);
  const modified = httpDate(stored['last-modified'] ?? stored.date ?? null, now);
  return since !== null && modified !== null && modified <= since;
}

/**
 * Whether a Range still counts (RFC 9110 section 13.1.5): without If-Range it does; with one only for exactly this
 * representation, so that parts of two never get mixed.
 */
export function rangeCounts(request: IncomingHttpHeaders, stored: IncomingHttpHeaders): boolean {
  const condition = request['if-range'];
  if (condition === undefined) return true;
  if (typeof condition !== 'string') return false;
  if (condition.startsWith('W/')) return false;
  if (condition.startsWith('"')) return condition === stored.etag;
  return condition === stored['last-modified'];
}

/** Conditional and range fields of a request: answered from the whole response, so they are not sent upstream for it. */
const aboutTheWhole = new Set([
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
  'if-range',
  'range',
]);

/** A request's fields for fetching the whole response; with those that confirm a stored one when there is one. */
export function fieldsForWhole(
  request: IncomingHttpHeaders,
  stale: IncomingHttpHeaders | null,
): IncomingHttpHeaders {
  const fields: IncomingHttpHeaders = Object.fromEntries(
    Object.entries(request).filter(([name]) => !aboutTheWhole.has(name)),
  );
  if (stale?.etag !== undefined) fields['if-none-match'] = stale.etag;
  else if (stale?.['last-modified'] !== undefined)
    fields['if-modified-since'] = stale['last-modified'];
  return fields;
}
