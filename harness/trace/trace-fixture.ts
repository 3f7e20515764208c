import type { TraceEvent } from './trace-scanner.ts';

/** The resource of the made-up trace. */
export const fixtureUrl = 'http://127.0.0.1:8080/resource/br';
const otherUrl = 'http://127.0.0.1:8080/page';

const networkPid = 20;

type Short = [us: number, ph: string, name: string, params?: Record<string, unknown>];

function onLane(local: string, events: readonly Short[]): TraceEvent[] {
  return events.map(([ts, ph, name, params]) => ({
    args: params
      ? { params: { ...params, source_start_time: '1' }, source_type: 'URL_REQUEST' }
      : {},
    cat: 'netlog',
    id2: { local },
    name,
    ph,
    pid: networkPid,
    ts,
  }));
}

function mark(name: string, ts: number): TraceEvent {
  const data = { callTime: ts, startTime: 1 };
  return { args: { data }, cat: 'blink.user_timing', name, ph: 'I', pid: 30, ts: ts + 9 };
}

/** A hit of the simple back end with two body reads that are decoded; its page reads from 1000 to 60000 µs. */
export const hitEvents: readonly TraceEvent[] = [
  mark('cachescope-read-begin', 1000),
  // Another, earlier request on the same lane.
  ...onLane('0xa', [
    [100, 'b', 'REQUEST_ALIVE', { url: otherUrl }],
    [200, 'b', 'HTTP_CACHE_READ_DATA', {}],
    [900, 'e', 'HTTP_CACHE_READ_DATA'],
    [950, 'e', 'REQUEST_ALIVE'],
  ]),
  ...onLane('0xa', [
    [3000, 'b', 'CORS_REQUEST', { url: fixtureUrl }],
    [3100, 'b', 'REQUEST_ALIVE', { url: fixtureUrl }],
    [3200, 'b', 'URL_REQUEST_START_JOB', { url: fixtureUrl }],
    [4000, 'b', 'HTTP_CACHE_GET_BACKEND', {}],
    [4010, 'e', 'HTTP_CACHE_GET_BACKEND'],
    [4020, 'b', 'HTTP_CACHE_OPEN_OR_CREATE_ENTRY', { result: 'opened' }],
    [24020, 'e', 'HTTP_CACHE_OPEN_OR_CREATE_ENTRY'],
    [24020, 'b', 'HTTP_CACHE_ADD_TO_ENTRY', {}],
    [24030, 'e', 'HTTP_CACHE_ADD_TO_ENTRY'],
    [24030, 'b', 'HTTP_CACHE_READ_INFO', {}],
    [24050, 'e', 'HTTP_CACHE_READ_INFO'],
    [24100, 'n', 'URL_REQUEST_FILTERS_SET', { filters: 'BROTLI' }],
    [24110, 'e', 'URL_REQUEST_START_JOB'],
    [25000, 'b', 'HTTP_CACHE_READ_DATA', {}],
    [35000, 'e', 'HTTP_CACHE_READ_DATA'],
    [35000, 'n', 'URL_REQUEST_JOB_BYTES_READ', { byte_count: 32768 }],
    [36000, 'n', 'URL_REQUEST_JOB_FILTERED_BYTES_READ', { byte_count: 65536 }],
    [36500, 'n', 'URL_REQUEST_JOB_FILTERED_BYTES_READ', { byte_count: 4464 }],
    [37000, 'b', 'HTTP_CACHE_READ_DATA', {}],
    [47000, 'e', 'HTTP_CACHE_READ_DATA'],
    [47000, 'n', 'URL_REQUEST_JOB_BYTES_READ', { byte_count: 2000 }],
    [48000, 'n', 'URL_REQUEST_JOB_FILTERED_BYTES_READ', { byte_count: 9000 }],
    [48100, 'b', 'HTTP_CACHE_READ_DATA', {}],
    [48110, 'e', 'HTTP_CACHE_READ_DATA'],
    [48200, 'e', 'REQUEST_ALIVE'],
    [48300, 'e', 'CORS_REQUEST'],
  ]),
  mark('cachescope-read-end', 60000),
];

/** A trace as Chromium writes it: one event per line, metadata last. */
export function traceText(events: readonly TraceEvent[]): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  return `{"traceEvents":[\n${lines}],"metadata":\n{"clock-domain":"LINUX_CLOCK_MONOTONIC"}}`;
}

/** The same in chunks of this many bytes. */
export async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}
