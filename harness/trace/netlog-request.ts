import { readMarks } from '@cachescope/model/load/messages.ts';
import { type ScannedTrace, type TraceEvent, TraceScanner } from './trace-scanner.ts';

/** An event of one request in Chromium's network service (net/log/net_log_event_type_list.h). */
export interface NetlogEvent {
  name: string;
  /** Start, end, or a single moment. */
  phase: 'begin' | 'end' | 'moment';
  /** µs, CLOCK_MONOTONIC. */
  us: number;
  /** `byte_count`; null where there is none. */
  bytes: number | null;
}

/** A URL_REQUEST from its beginning to its end. */
export interface NetlogRequest {
  url: string;
  beginUs: number;
  /** null: the trace ends before the request does. */
  endUs: number | null;
  events: NetlogEvent[];
}

/** The trace categories with request events. */
const netlogCategory = 'netlog';

/** Name prefixes of the events of a request's steps (hit-steps.ts), and of those that begin and end a request. */
const netlogNames = [
  'CORS_REQUEST"',
  'REQUEST_ALIVE"',
  'HTTP_CACHE_',
  'HTTP_TRANSACTION_',
  'HTTP_STREAM_REQUEST"',
  'URL_REQUEST_JOB_',
  'URL_REQUEST_FILTERS_SET"',
] as const;

/** These events enclose a request; the one that begins first on a lane also ends the request. */
const outermost = new Set(['CORS_REQUEST', 'REQUEST_ALIVE']);
const phases: Readonly<Record<string, NetlogEvent['phase']>> = {
  b: 'begin',
  e: 'end',
  n: 'moment',
};

interface OpenRequest extends NetlogRequest {
  outermost: string;
}

/**
 * Extracts the requests for one URL from a trace's events. A lane (`id2.local`) carries one request after another, and
 * only the open one is kept, so memory use does not grow with the trace.
 */
class NetlogRequests {
  readonly #url: string;
  readonly #open = new Map<string, OpenRequest>();
  readonly #closed: NetlogRequest[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Processes the next event, in the order of time on each lane. */
  take(event: TraceEvent): void {
    const phase = phases[event.ph];
    if (phase === undefined || event.cat !== netlogCategory) return;
    const lane = `${event.pid}/${event.id2?.local ?? event.id2?.global}`;
    const params = paramsOf(event);
    let request = this.#open.get(lane);
    if (!request) {
      if (phase !== 'begin' || !outermost.has(event.name)) return;
      request = { url: '', beginUs: event.ts, endUs: null, events: [], outermost: event.name };
      this.#open.set(lane, request);
    }
    if (typeof params['url'] === 'string' && request.url === '') request.url = params['url'];
    const { byte_count: bytes } = params;
    request.events.push({
      name: event.name,
      phase,
      us: event.ts,
      bytes: typeof bytes === 'number' ? bytes : null,
    });
    if (phase === 'end' && event.name === request.outermost) this.#close(lane, request);
  }

  /** The requests for the URL, by time; requests without an end in the trace come last. */
  requests(): NetlogRequest[] {
    const open = [...this.#open.values()].filter(({ url }) => url === this.#url);
    return [...this.#closed, ...open.map(plain)];
  }

  #close(lane: string, request: OpenRequest): void {
    this.#open.delete(lane);
    request.endUs = request.events.at(-1)?.us ?? null;
    if (request.url === this.#url) this.#closed.push(plain(request));
  }
}

function plain({ url, beginUs, endUs, events }: OpenRequest): NetlogRequest {
  return { url, beginUs, endUs, events };
}

function paramsOf({ args }: TraceEvent): Record<string, unknown> {
  const params = args?.['params'];
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
}

/** When the page requested a resource and had its whole body, µs of the trace's clock. */
export interface PageRead {
  beginUs: number;
  endUs: number;
}

/** One read of one resource in a trace. */
export interface TracedRequest {
  /** null: the trace does not contain both marks of the page. */
  page: PageRead | null;
  /** null: the trace contains no request for the URL between them. */
  request: NetlogRequest | null;
  scanned: ScannedTrace;
}

/** Categories for the trace of a read: the fewest that cover all steps, to keep the overhead low. */
export const tracedCategories = [netlogCategory, 'blink.user_timing'] as const;

/** Strings in the text of every event that is parsed. */
const words = tracedCategories.map((category) => `"cat":"${category}"`);
const names = new RegExp(`"name":"(?:${[...netlogNames, ...Object.values(readMarks)].join('|')})`);

/** Finds one read in a trace that arrives in chunks. */
export async function tracedRequest(
  pieces: AsyncIterable<Uint8Array>,
  url: string,
): Promise<TracedRequest> {
  const requests = new NetlogRequests(url);
  const marks: Partial<PageRead> = {};
  const scanner = new TraceScanner(
    words,
    (event) => {
      if (event.name === readMarks.begin) marks.beginUs ??= calledUs(event);
      else if (event.name === readMarks.end) marks.endUs ??= calledUs(event);
      else requests.take(event);
    },
    names,
  );
  for await (const piece of pieces) scanner.push(piece);
  const { beginUs, endUs } = marks;
  const page = beginUs === undefined || endUs === undefined ? null : { beginUs, endUs };
  const request = requests.requests().find((each) => each.beginUs >= (beginUs ?? 0)) ?? null;
  return { page, request, scanned: scanner.end() };
}

/** When the page set the mark: the event itself is written slightly later or earlier. */
function calledUs({ ts, args }: TraceEvent): number {
  const data = args?.['data'];
  const { callTime } = (data ?? {}) as { callTime?: unknown };
  return typeof callTime === 'number' ? callTime : ts;
}
