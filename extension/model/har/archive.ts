import type { Creator, Entry, Har, Header, Page, QueryString, Timings } from 'har-format';
import { fieldValue, type HeaderFields } from '../load/header-fields.ts';
import { parsedUrl } from '../web-url.ts';

/** Values written where HAR cannot express "unknown", each with a comment that marks it as a placeholder. */
export const standIns = {
  method: 'The method is unknown; GET is written instead.',
  time: 'The times are unknown; 0 is written instead.',
  phases: 'Only the total time is known; it is written as blocked.',
  wait: 'When the request was sent is unknown; the time before the response is written as wait.',
} as const;

/** One request and its response, for an archive. Fields whose names begin with `_` are written unchanged. */
export interface HarExchange {
  pageref: string;
  /** Wall clock, ms since the epoch. */
  startedAtMs: number;
  /** null: unknown. */
  method: string | null;
  url: string;
  /** 0 when unknown, as DevTools writes it. */
  status: number;
  statusText?: string;
  /** As in ALPN or in the start line; empty when unknown. */
  httpVersion: string;
  requestHeaders?: HeaderFields | undefined;
  responseHeaders?: HeaderFields | undefined;
  timings: Timings;
  /** -1 when unknown. */
  responseHeadersBytes?: number;
  /** Received size of the body; 0 from a cache, -1 when unknown. */
  bodyBytes: number;
  content: Entry['response']['content'];
  custom: Record<`_${string}`, unknown>;
  responseCustom?: Record<`_${string}`, unknown>;
}

/** An HTTP Archive 1.2 (softwareishard.com/blog/har-12-spec) that DevTools can import. */
export function harArchive(creator: Creator, pages: Page[], exchanges: HarExchange[]): Har {
  return { log: { version: '1.2', creator, pages, entries: exchanges.map(entryOf) } };
}

function entryOf(exchange: HarExchange): Entry {
  const { method, url, status, httpVersion, timings, content } = exchange;
  return {
    pageref: exchange.pageref,
    startedDateTime: isoDate(exchange.startedAtMs),
    time: totalMs(timings),
    request: {
      method: method ?? 'GET',
      url,
      httpVersion,
      cookies: [],
      headers: headersOf(exchange.requestHeaders),
      queryString: queryOf(url),
      headersSize: -1,
      bodySize: -1,
      ...(method === null && { comment: standIns.method }),
    },
    response: {
      status,
      statusText: exchange.statusText ?? '',
      httpVersion,
      cookies: [],
      headers: headersOf(exchange.responseHeaders),
      content,
      redirectURL: fieldValue(exchange.responseHeaders ?? [], 'location') ?? '',
      headersSize: exchange.responseHeadersBytes ?? -1,
      bodySize: exchange.bodyBytes,
      ...exchange.responseCustom,
    },
    cache: {},
    timings,
    ...exchange.custom,
  };
}

/** Sum of the phases, ms, as the format requires for `time`. `ssl` is a part of `connect`. */
function totalMs({ blocked, dns, connect, send, wait, receive }: Timings): number {
  const phases = [blocked, dns, connect, send, wait, receive];
  return phases.reduce<number>((sum, ms) => sum + Math.max(0, ms ?? 0), 0);
}

/** Phases of which only the sum is known, ms; null: the sum is unknown too. */
export function unknownPhases(durationMs: number | null): Timings {
  const none = { send: 0, wait: 0, receive: 0 };
  if (durationMs === null) return { ...none, comment: standIns.time };
  return { blocked: durationMs, ...none, comment: standIns.phases };
}

/** Limit of ECMAScript's dates: 8.64e15 ms on both sides of the epoch. */
const latest = 8.64e15;

/** A HAR must have a date: a time outside the range becomes the nearest date. */
export function isoDate(ms: number): string {
  return new Date(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, -latest), latest)).toISOString();
}

function headersOf(fields: HeaderFields = []): Header[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): QueryString[] {
  const parameters = parsedUrl(url)?.searchParams ?? [];
  return Array.from(parameters, ([name, value]) => ({ name, value }));
}
