import {
  cacheDirectives,
  type CacheDirectives,
  chromiumDirectives,
  targetedDirectives,
} from './cache-directives.ts';
import { chromiumDate, httpDate } from './http-date.ts';
import { fieldValue, type HeaderFields } from '../load/header-fields.ts';

/** The facts about a response that a cache uses. */
export interface CacheableResponse {
  /** null: unknown, treated as 200. */
  status: number | null;
  headers: HeaderFields;
  /** When its header section arrived, ms since the epoch. */
  receivedAt: number;
  /**
   * When its request was sent, ms since the epoch; absent: unknown, and the request is assumed to have taken no time.
   */
  askedAt?: number;
}

/**
 * The rules that judge a response. They differ where Chromium parses a field differently from the RFC, or uses a
 * heuristic.
 */
export interface FreshnessRules {
  directives(response: CacheableResponse): CacheDirectives;
  /** Directives that set the lifetime; the first one present counts. */
  lifetime: readonly string[];
  date(text: string | null, receivedAt: number): number | null;
  /** When the response expires, ms since the epoch; null: its Expires is ignored. */
  expires(text: string, receivedAt: number): number | null;
  /** Heuristic freshness lifetime of a response without an explicit one, ms (RFC 9111 section 4.2.2). */
  heuristicMs(response: CacheableResponse, date: number, directives: CacheDirectives): number;
  /** Whether the response is stale from the start, whatever its lifetime. */
  isNeverFresh(response: CacheableResponse, directives: CacheDirectives): boolean;
}

/** A shared cache strictly by RFC 9111, with CDN-Cache-Control (RFC 9213). It uses no heuristic. */
export const sharedCache: FreshnessRules = {
  directives: ({ headers }) =>
    targetedDirectives(fieldValue(headers, 'cdn-cache-control')) ??
    cacheDirectives(fieldValue(headers, 'cache-control')),
  lifetime: ['s-maxage', 'max-age'],
  date: httpDate,
  // An invalid date means "already expired" (RFC 9111 section 5.3).
  expires: (text, receivedAt) => httpDate(text, receivedAt) ?? Number.NEGATIVE_INFINITY,
  heuristicMs: () => 0,
  isNeverFresh: (_response, directives) => directives.has('no-cache'),
};

/** Statuses with heuristic freshness from Last-Modified in Chromium, and statuses that it keeps fresh for ever. */
const guessed: ReadonlySet<number> = new Set([200, 203, 206]);
const lasting: ReadonlySet<number> = new Set([300, 301, 308, 410]);

/** Chromium's own cache. */
export const chromiumCache: FreshnessRules = {
  directives: ({ headers }) => chromiumDirectives(fieldValue(headers, 'cache-control')),
  lifetime: ['max-age'],
  date: chromiumDate,
  // Of the invalid dates only 0 means "already expired" (HttpResponseHeaders::GetTimeValuedHeader).
  expires: (text) => (text.trim() === '0' ? Number.NEGATIVE_INFINITY : chromiumDate(text)),
  heuristicMs({ status, headers }, date, directives) {
    if (lasting.has(status ?? 200)) return Number.POSITIVE_INFINITY;
    const modified = chromiumDate(firstLine(headers, 'last-modified'));
    if (modified === null || !guessed.has(status ?? 200) || directives.has('must-revalidate'))
      return 0;
    return Math.max(0, date - modified) / 10;
  },
  isNeverFresh: ({ headers }, directives) =>
    directives.has('no-cache') ||
    directives.has('no-store') ||
    chromiumDirectives(fieldValue(headers, 'pragma')).has('no-cache') ||
    chromiumDirectives(fieldValue(headers, 'vary')).has('*'),
};

/** Freshness lifetime of a response, counted from its Date, ms (RFC 9111 section 4.2.1); 0: never fresh. */
export function lifetimeMs(response: CacheableResponse, rules: FreshnessRules): number {
  const { headers, receivedAt } = response;
  const directives = rules.directives(response);
  if (rules.isNeverFresh(response, directives)) return 0;
  const given = rules.lifetime.map((name) => directives.ms(name)).find((ms) => ms !== null);
  if (given !== undefined && given !== null) return given;
  const date = rules.date(firstLine(headers, 'date'), receivedAt) ?? receivedAt;
  const text = directives.isTargeted ? null : firstLine(headers, 'expires');
  const expires = text === null ? null : rules.expires(text, receivedAt);
  if (expires === null) return rules.heuristicMs(response, date, directives);
  return Math.max(0, expires - date);
}

/** Age of a response when it arrived, ms (RFC 9111 section 4.2.3). If Age is a list, the first member counts. */
export function initialAgeMs(response: CacheableResponse, rules: FreshnessRules): number {
  const { headers, receivedAt, askedAt = receivedAt } = response;
  const date = rules.date(firstLine(headers, 'date'), receivedAt) ?? receivedAt;
  const [age = ''] = (firstLine(headers, 'age') ?? '').split(',', 1);
  const toldMs = /^\s*\d+\s*$/.test(age) ? Number(age) * 1000 : 0;
  return Math.max(0, receivedAt - date, toldMs + receivedAt - askedAt);
}

/**
 * Until when Chromium may serve a response without waiting for the server, including `stale-while-revalidate` (RFC 5861
 * section 3): ms since the epoch. If not after `receivedAt`, the response is stale immediately.
 */
export function usableUntil(response: CacheableResponse): number {
  const directives = chromiumCache.directives(response);
  const isNeverStale =
    directives.has('must-revalidate') || chromiumCache.isNeverFresh(response, directives);
  const staleMs = isNeverStale ? 0 : (directives.ms('stale-while-revalidate') ?? 0);
  const freshMs = lifetimeMs(response, chromiumCache) - initialAgeMs(response, chromiumCache);
  return response.receivedAt + freshMs + staleMs;
}

/** The value of a field that is not a list: of several field lines the first counts. */
function firstLine(headers: HeaderFields, name: string): string | null {
  return headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? null;
}
