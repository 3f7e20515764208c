import type { IncomingHttpHeaders } from 'node:http';
import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import { initialAgeMs, lifetimeMs, sharedCache } from '@cachescope/model/caching/freshness.ts';
import type { GrowingBody } from './growing-body.ts';
import { mayStore } from './storability.ts';

/** Adds the Date that a response lacks: the time of its arrival (RFC 9110 section 6.6.1). */
export function dated(headers: IncomingHttpHeaders, cameAt: number): IncomingHttpHeaders {
  return { date: new Date(cameAt).toUTCString(), ...headers };
}

/** A response that the edge stores, or forwards while it arrives. */
export interface StoredResponse {
  status: number;
  /** End-to-end fields. */
  headers: IncomingHttpHeaders;
  body: GrowingBody;
  /**
   * Length of the whole body, bytes; null: unknown, because the upstream did not declare it and the body has not ended.
   */
  lengthBytes: number | null;
  /** When it arrived or was last revalidated (ms since 1970), and its age at that time, ms. */
  cameAt: number;
  initialAgeMs: number;
  lifetimeMs: number;
  /** Whether the store may have it. */
  mayStore: boolean;
  /** The request fields named in Vary, in lower case, with the values that the upstream received; null: it received none. */
  varied: ReadonlyMap<string, string | null>;
}

/** When the request was sent and when the response's header section arrived, ms since 1970. */
export interface Moments {
  askedAt: number;
  cameAt: number;
}

/**
 * What the caching rules say about a response with these fields, as it arrived or after its revalidation. `sent`: the
 * fields of its request as the upstream received them.
 */
export function cachingOf(
  status: number,
  headers: IncomingHttpHeaders,
  sent: IncomingHttpHeaders,
  { askedAt, cameAt }: Moments,
): Pick<StoredResponse, 'cameAt' | 'initialAgeMs' | 'lifetimeMs' | 'mayStore' | 'varied'> {
  const fields = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const response = { status, headers: fields, askedAt, receivedAt: cameAt };
  return {
    cameAt,
    initialAgeMs: initialAgeMs(response, sharedCache),
    lifetimeMs: lifetimeMs(response, sharedCache),
    mayStore: mayStore(response),
    varied: variedFields(headers.vary, sent),
  };
}

/** Current age, ms (RFC 9111 section 4.2.3). */
export function ageMs(response: StoredResponse, now: number): number {
  return response.initialAgeMs + (now - response.cameAt);
}

function isFresh(response: StoredResponse, now: number): boolean {
  return ageMs(response, now) < response.lifetimeMs;
}

/** Whether it may answer a request without revalidation (RFC 9111 section 4). */
export function isUsable(
  response: StoredResponse,
  request: IncomingHttpHeaders,
  now: number,
): boolean {
  const asked = cacheDirectives(request['cache-control'] ?? request.pragma ?? null);
  if (asked.has('no-cache')) return false;
  const age = ageMs(response, now);
  return age <= (asked.ms('max-age') ?? age) && isFresh(response, now);
}

/** Why a GET or HEAD goes to the upstream (RFC 9211 section 2.2), given what the store has for it. */
export function forwardReason(
  found: StoredResponse | null,
  request: IncomingHttpHeaders,
  now: number,
): 'miss' | 'stale' | 'request' {
  if (!found) return 'miss';
  if (!isFresh(found, now)) return 'stale';
  // A usable response that did not arrive in time.
  return isUsable(found, request, now) ? 'miss' : 'request';
}

/** The values of the fields named in Vary (RFC 9111 section 4.1), in a request as the upstream received it. */
function variedFields(
  vary: string | undefined,
  sent: IncomingHttpHeaders,
): ReadonlyMap<string, string | null> {
  const names = (vary ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Map(names.filter((name) => name !== '').map((name) => [name, normalized(sent[name])]));
}

/** null: the field is absent, which differs from an empty one. */
function normalized(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return String(value)
    .split(',')
    .map((part) => part.trim())
    .join(',');
}

/**
 * Whether a stored response matches a request under Vary. `sent`: the request's fields as the upstream would receive
 * them. A field that the edge does not forward selects nothing: its sender could otherwise store a response under a
 * variant that the upstream was never asked for.
 */
export function matchesVary(response: StoredResponse, sent: IncomingHttpHeaders): boolean {
  return [...response.varied].every(([name, value]) => normalized(sent[name]) === value);
}
