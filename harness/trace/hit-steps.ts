import type {
  HitStep,
  StepSpan,
  StepTime,
  TracedRead,
} from '@cachescope/model/explain/traced-read.ts';
import type { NetlogEvent, NetlogRequest, PageRead } from './netlog-request.ts';

/** The time of a read by step. */
export type SharedOut = Pick<TracedRead, 'steps' | 'spans'>;

const bodyRead = 'HTTP_CACHE_READ_DATA';

/** Events that begin and end a step of a request. Events inside a step belong to it. */
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

/** Chromium begins to decompress an entry that it had recompressed: logged once, before the first bytes. */
const decompression = 'HTTP_CACHE_DECOMPRESS';
const storedBytes = 'URL_REQUEST_JOB_BYTES_READ';
const decodedBytes = 'URL_REQUEST_JOB_FILTERED_BYTES_READ';

interface RawSpan {
  step: HitStep;
  beginUs: number;
  endUs: number;
}

/** True when the request used the network: then it is not a hit. */
export function usedNetwork({ events }: NetlogRequest): boolean {
  return events.some(({ name }) => name.startsWith('HTTP_TRANSACTION_'));
}

/** Divides the time of a whole read among its steps: spans do not overlap, and unattributed time is `rest`. */
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
 * From each read of stored bytes to the chunks of decoded bytes that result from it. Decompression inside the cache
 * shows only as the time between reads of the entry and the resulting bytes.
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
      why: 'no trace shows dictionary reads; use --witness syscalls or --slow dictionaries',
    },
    entryWrite: { ms: took('entryWrite') },
    network: { ms: took('network') },
    delivery: { ms: took('delivery') },
    rest: { ms: Math.max(0, durationMs - spent) },
  };
}

/** A body read that returns 0 bytes marks the end of the body, and is not counted. */
function bodyOf(events: readonly NetlogEvent[]): Pick<StepTime, 'count' | 'bytes'> {
  const isDecoded = events.some(({ name }) => name === storedBytes);
  const lots = events.filter(({ name }) => name === (isDecoded ? storedBytes : decodedBytes));
  // For decompression inside the cache only the decompressed bytes are logged.
  if (isDecompressed(events)) return { count: lots.length };
  return { count: lots.length, bytes: lots.reduce((sum, lot) => sum + (lot.bytes ?? 0), 0) };
}

function isDecompressed(events: readonly NetlogEvent[]): boolean {
  return events.some(({ name }) => name === decompression);
}

function decodeTime(events: readonly NetlogEvent[], isHit: boolean, ms: number): StepTime {
  // For dcb and dcz no filter is logged, but the filter's input and output are.
  if (events.some(({ name }) => name === 'URL_REQUEST_FILTERS_SET' || name === storedBytes)) {
    return { ms, why: 'with the waits until the page takes what is decoded' };
  }
  if (isDecompressed(events)) return { ms, why: 'Zstandard, inside the cache' };
  // A hit without a filter is stored decoded.
  if (isHit) return { ms: 0, why: 'it lies decoded in the cache' };
  return { ms: null, why: 'the trace shows no decoder in a network read' };
}
