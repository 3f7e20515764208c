import type {
  HitStep,
  StepSpan,
  StepTime,
  TracedRead,
} from '@cachescope/model/explain/traced-read.ts';
import type { NetlogEvent, NetlogRequest } from './netlog-request.ts';

/** When the page asked for a resource and had its whole body, µs of the trace's clock. */
export interface PageRead {
  beginUs: number;
  endUs: number;
}

/** Where the time of a read went. */
export type SharedOut = Pick<TracedRead, 'steps' | 'spans'>;

const bodyRead = 'HTTP_CACHE_READ_DATA';

/** Events of a request that begin and end a step. Whatever lies inside one belongs to it. */
const stepOf: Readonly<Record<string, HitStep>> = {
  HTTP_CACHE_GET_BACKEND: 'backendWait',
  HTTP_CACHE_OPEN_OR_CREATE_ENTRY: 'entryOpen',
  HTTP_CACHE_OPEN_ENTRY: 'entryOpen',
  HTTP_CACHE_CREATE_ENTRY: 'entryOpen',
  HTTP_CACHE_DOOM_ENTRY: 'entryOpen',
  HTTP_CACHE_ADD_TO_ENTRY: 'lockWait',
  HTTP_CACHE_READ_INFO: 'headerRead',
  [bodyRead]: 'bodyRead',
  HTTP_CACHE_DECOMPRESS: 'decode',
  HTTP_CACHE_WRITE_INFO: 'entryWrite',
  HTTP_CACHE_WRITE_DATA: 'entryWrite',
  HTTP_STREAM_REQUEST: 'network',
  HTTP_TRANSACTION_SEND_REQUEST: 'network',
  HTTP_TRANSACTION_READ_HEADERS: 'network',
  HTTP_TRANSACTION_READ_BODY: 'network',
};

/** Chromium begins to decompress an entry that it had recompressed: told once, before the first bytes. */
const decompression = 'HTTP_CACHE_DECOMPRESS';
const storedBytes = 'URL_REQUEST_JOB_BYTES_READ';
const decodedBytes = 'URL_REQUEST_JOB_FILTERED_BYTES_READ';

interface RawSpan {
  step: HitStep;
  beginUs: number;
  endUs: number;
}

/** True when the request asked the network: then it is no hit. */
export function usedNetwork({ events }: NetlogRequest): boolean {
  return events.some(({ name }) => name.startsWith('HTTP_TRANSACTION_'));
}

/** Shares out the time of a whole read among its steps: spans do not overlap, and what they leave is `rest`. */
export function hitSteps(request: NetlogRequest, page: PageRead): SharedOut {
  const cacheSpans = [...pairedSpans(request.events), ...decodeSpans(request.events)];
  const lastUs = Math.max(request.beginUs, ...cacheSpans.map(({ endUs }) => endUs));
  const raw: RawSpan[] = [
    { step: 'dispatch', beginUs: page.beginUs, endUs: request.beginUs },
    ...cacheSpans,
    { step: 'delivery', beginUs: lastUs, endUs: page.endUs },
  ];
  const spans = withoutOverlap(raw).map(({ step, beginUs, endUs }) => ({
    step,
    startMs: (beginUs - page.beginUs) / 1000,
    endMs: (endUs - page.beginUs) / 1000,
  }));
  return { spans, steps: stepTimes(request, spans, (page.endUs - page.beginUs) / 1000) };
}

function pairedSpans(events: readonly NetlogEvent[]): RawSpan[] {
  const spans: RawSpan[] = [];
  const open = new Map<string, number>();
  for (const { name, phase, us } of events) {
    const step = stepOf[name];
    if (step === undefined) continue;
    if (phase === 'begin') open.set(name, us);
    const beginUs = open.get(name);
    if (phase !== 'end' || beginUs === undefined) continue;
    open.delete(name);
    spans.push({ step, beginUs, endUs: us });
  }
  return spans;
}

/**
 * From stored bytes that were read to each lot of decoded bytes that they gave. What the cache decompresses itself is told only
 * by the time between its reads of the entry and the bytes that come out.
 */
function decodeSpans(events: readonly NetlogEvent[]): RawSpan[] {
  const spans: RawSpan[] = [];
  const isRead = isDecompressed(events)
    ? ({ name, phase }: NetlogEvent) => name === bodyRead && phase === 'end'
    : ({ name }: NetlogEvent) => name === storedBytes;
  let beginUs: number | null = null;
  for (const event of events) {
    const { name, us } = event;
    if (name === decodedBytes && beginUs !== null) {
      spans.push({ step: 'decode', beginUs, endUs: us });
      beginUs = us;
    } else beginUs = isRead(event) ? us : null;
  }
  return spans;
}

function withoutOverlap(spans: readonly RawSpan[]): RawSpan[] {
  let untilUs = Number.NEGATIVE_INFINITY;
  const kept: RawSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.beginUs - other.beginUs)) {
    const beginUs = Math.max(span.beginUs, untilUs);
    if (span.endUs <= beginUs) continue;
    untilUs = span.endUs;
    const last = kept.at(-1);
    if (last?.step === span.step && last.endUs === beginUs) last.endUs = untilUs;
    else kept.push({ ...span, beginUs });
  }
  return kept;
}

function stepTimes(
  request: NetlogRequest,
  spans: readonly StepSpan[],
  durationMs: number,
): TracedRead['steps'] {
  const { events } = request;
  const took = (step: HitStep): number =>
    spans
      .filter((span) => span.step === step)
      .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const told = new Set(events.map(({ name }) => stepOf[name]));
  const ofTrace = (step: HitStep): StepTime =>
    told.has(step) ? { ms: took(step) } : { ms: null, why: 'the trace does not tell of it' };
  const isHit = !usedNetwork(request);
  const spent = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return {
    dispatch: { ms: took('dispatch') },
    backendWait: ofTrace('backendWait'),
    entryOpen: ofTrace('entryOpen'),
    lockWait: ofTrace('lockWait'),
    headerRead: ofTrace('headerRead'),
    bodyRead: { ...ofTrace('bodyRead'), ...bodyOf(events) },
    decode: decodeTime(events, isHit, took('decode')),
    dictionaryRead: {
      ms: null,
      why: 'no trace tells of dictionaries; --witness syscalls does, or --slow dictionaries',
    },
    entryWrite: { ms: took('entryWrite') },
    network: { ms: took('network') },
    delivery: { ms: took('delivery') },
    rest: { ms: Math.max(0, durationMs - spent) },
  };
}

/** A body read that gives nothing is the end of the body, and no read. */
function bodyOf(events: readonly NetlogEvent[]): Pick<StepTime, 'count' | 'bytes'> {
  const isDecoded = events.some(({ name }) => name === storedBytes);
  const lots = events.filter(({ name }) => name === (isDecoded ? storedBytes : decodedBytes));
  // What is decompressed inside the cache is told as it comes out only.
  if (isDecompressed(events)) return { count: lots.length };
  return { count: lots.length, bytes: lots.reduce((sum, lot) => sum + (lot.bytes ?? 0), 0) };
}

function isDecompressed(events: readonly NetlogEvent[]): boolean {
  return events.some(({ name }) => name === decompression);
}

function decodeTime(events: readonly NetlogEvent[], isHit: boolean, ms: number): StepTime {
  // For dcb and dcz no filter is told, but what it was given and gave is.
  if (events.some(({ name }) => name === 'URL_REQUEST_FILTERS_SET' || name === storedBytes)) {
    return { ms, why: 'with the waits until the page takes what is decoded' };
  }
  if (isDecompressed(events)) return { ms, why: 'Zstandard, inside the cache' };
  // What a hit has not been given a filter for is stored decoded.
  if (isHit) return { ms: 0, why: 'it lies decoded in the cache' };
  return { ms: null, why: 'the trace tells of no decoder in a network read' };
}
