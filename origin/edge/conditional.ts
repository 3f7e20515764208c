import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { httpDate } from '@cachescope/model/caching/http-date.ts';
import { type ByteRange, byteRange } from './byte-range.ts';

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** The tags of a list; a tag may contain commas (RFC 9110 section 8.8.3). */
function listedTags(list: string): string[] {
  return list.match(/(W\/)?"[^"]*"/g) ?? [];
}

/**
 * Whether a request's preconditions show that the client already has the response, so that the answer is 304 (RFC 9110
 * section 13.2.2). If-None-Match uses weak comparison; when it is present, If-Modified-Since is ignored.
 */
export function isNotModified(request: IncomingHttpHeaders, stored: IncomingHttpHeaders): boolean {
  const tags = request['if-none-match'];
  if (tags !== undefined) {
    const { etag } = stored;
    if (tags.trim() === '*') return true;
    return etag !== undefined && listedTags(tags).some((tag) => opaque(tag) === opaque(etag));
  }
  // An invalid date is ignored. Without Last-Modified the Date of the response is used (RFC 9111 section 4.3.2).
  const now = Date.now();
  const since = httpDate(request['if-modified-since'] ?? null, now);
  const modified = httpDate(stored['last-modified'] ?? stored.date ?? null, now);
  return since !== null && modified !== null && modified <= since;
}

/**
 * Whether If-Match names other representations, so that the answer is 412 (RFC 9110 section 13.1.1). Strong comparison: a
 * weak tag matches nothing.
 */
export function isMismatch(request: IncomingHttpHeaders, etag: string): boolean {
  const tags = request['if-match'];
  if (tags === undefined || tags.trim() === '*') return false;
  return !listedTags(tags).includes(etag);
}

/** Whether Last-Modified is a strong validator: a second before Date, so that no later change has the same (RFC 9110, 8.8.2.2). */
function isStrongDate(stored: IncomingHttpHeaders): boolean {
  const now = Date.now();
  const modified = httpDate(stored['last-modified'] ?? null, now);
  const sent = httpDate(stored.date ?? null, now);
  return modified !== null && sent !== null && sent - modified >= 1000;
}

/**
 * Whether Range applies (RFC 9110 section 13.1.5): always without If-Range; with If-Range only for exactly this
 * representation, so that parts of two representations are never mixed.
 */
function rangeCounts(request: IncomingHttpHeaders, stored: IncomingHttpHeaders): boolean {
  const condition = request['if-range'];
  if (condition === undefined) return true;
  if (typeof condition !== 'string') return false;
  if (condition.startsWith('W/')) return false;
  if (condition.startsWith('"')) return condition === stored.etag;
  return condition === stored['last-modified'] && isStrongDate(stored);
}

/**
 * The part that a request wants of a representation of `bytes`; null: all of it. Range is defined only for GET (RFC 9110
 * section 14.2).
 */
export function partOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  stored: IncomingHttpHeaders,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const mayBePart = method === 'GET' && rangeCounts(headers, stored);
  return mayBePart ? byteRange(headers.range, bytes) : null;
}

/**
 * Conditional and range fields of a request: the edge evaluates them on the whole response, so a request for the whole
 * response omits them.
 */
const aboutTheWhole =
  /^(if-none-match|if-modified-since|if-match|if-unmodified-since|if-range|range)$/;

/**
 * A request's fields for fetching the whole response.
 */
export function fieldsForWhole(request: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !aboutTheWhole.test(name)));
}

/** The fields that make a request a revalidation of a stored response. */
export function validatorsOf(stored: IncomingHttpHeaders): IncomingHttpHeaders {
  const { etag, 'last-modified': modified } = stored;
  if (etag !== undefined) return { 'if-none-match': etag };
  return modified === undefined ? {} : { 'if-modified-since': modified };
}
