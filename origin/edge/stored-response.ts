import type { IncomingHttpHeaders } from 'node:http';
import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import {
  type CacheableResponse,
  initialAgeMs,
  lifetimeMs,
  sharedCache,
} from '@cachescope/model/caching/freshness.ts';
import type { GrowingBody } from './growing-body.ts';

/** Fields of one connection only, which no intermediary passes on (RFC 9110 section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The fields that an intermediary passes on: not those of the connection, nor those that Connection names. Content-Length
 * it names in vain: a message must not lose what frames it.
 */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listed = (headers.connection ?? '').split(',');
  const named = new Set(listed.map((name) => name.trim().toLowerCase()));
  named.delete('content-length');
  const passed = Object.entries(headers).filter(
    ([name]) => !hopByHop.has(name) && !named.has(name),
  );
  return Object.fromEntries(passed);
}

/** A response as the edge keeps it, or passes it on while it arrives. */
export interface StoredResponse {
  status: number;
  /** End to end. */
  headers: IncomingHttpHeaders;
  body: GrowingBody;
  /** Length of the whole body, bytes; null while it is not known: the upstream did not say, and it has not ended. */
  lengthBytes: number | null;
  /** When it came or was last confirmed, and how old it was then, ms. */
  cameAt: number;
  initialAgeMs: number;
  lifetimeMs: number;
  /** The request's fields that Vary names, in lower case, with their values then. */
  varied: ReadonlyMap<string, string>;
}

/** When the request went out and the response's head came, ms since 1970. */
export interface Moments {
  askedAt: number;
  cameAt: number;
}

/** A response as the rules of caching judge it. */
export function cacheable(
  status: number,
  headers: IncomingHttpHeaders,
  { askedAt, cameAt }: Moments,
): CacheableResponse {
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { status, headers: fields, askedAt, receivedAt: cameAt };
}

/** What follows for freshness from a response's fields. */
export function freshnessOf(response: CacheableResponse) {
  return {
    cameAt: response.receivedAt,
    initialAgeMs: initialAgeMs(response, sharedCache),
    lifetimeMs: lifetimeMs(response, sharedCache),
  };
}

/** Age now, ms (RFC 9111 section 4.2.3). */
export function ageMs(response: StoredResponse, now: number): number {
  return response.initialAgeMs + (now - response.cameAt);
}

/** Whether it may answer a request without asking upstream (RFC 9111 section 4). */
export function isUsable(
  response: StoredResponse,
  request: IncomingHttpHeaders,
  now: number,
): boolean {
  const asked = cacheDirectives(request['cache-control'] ?? request.pragma ?? null);
  if (asked.has('no-cache')) return false;
  const age = ageMs(response, now);
  return age <= (asked.ms('max-age') ?? age) && age < response.lifetimeMs;
}

/** Values of the fields that Vary names, as the request has them (RFC 9111 section 4.1). */
export function variedFields(
  vary: string | undefined,
  request: IncomingHttpHeaders,
): ReadonlyMap<string, string> {
  const names = (vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Map(
    names.filter((name) => name !== '').map((name) => [name, normalized(request[name])]),
  );
}

function normalized(value: string | string[] | undefined): string {
  return String(value ?? '')
    .split(',')
    .map((part) => part.trim())
    .join(',');
}

/** Whether a stored response answers a request, as far as Vary goes. */
export function matchesVary(response: StoredResponse, request: IncomingHttpHeaders): boolean {
  return [...response.varied].every(([name, value]) => normalized(request[name]) === value);
}
