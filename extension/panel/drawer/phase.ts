import {
  requestDurationMs,
  type ResourceTiming,
} from '@cachescope/model/attribution/resource-timing.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';

/** One phase of a request. */
export interface Phase {
  id: 'queueing' | 'worker' | 'waiting' | 'download';
  /** The term of DevTools where it has one. */
  title: string;
  says: string;
  /** Since the request's start, ms. */
  startMs: number;
  durationMs: number;
}

/**
 * The phases that Resource Timing distinguishes, without a gap from start to end. Empty when the browser wrote no times
 * between: for a memory hit, and for a cross-origin response without Timing-Allow-Origin. A response may have started
 * before this use of it (a prefetched document): phases never have a negative duration.
 */
export function loadPhases(timing: ResourceTiming, attribution: Attribution): Phase[] {
  const { startTime, workerStart = 0, requestStart = 0, responseStart = 0 } = timing;
  const durationMs = requestDurationMs(timing) ?? 0;
  if (durationMs <= 0 || responseStart <= 0) return [];
  const end = timing.responseEnd || startTime + durationMs;
  const marks: [at: number, phase: Pick<Phase, 'id' | 'title' | 'says'>][] = [
    [startTime, queueing],
  ];
  if (workerStart > 0) marks.push([workerStart, worker]);
  if (requestStart > 0) marks.push([requestStart, waiting(attribution)]);
  marks.push([responseStart, download(attribution)]);
  return marks.map(([at, phase], place) => {
    const next = marks[place + 1]?.[0] ?? end;
    const startMs = Math.max(0, at - startTime);
    return { ...phase, startMs, durationMs: Math.max(0, next - startTime - startMs) };
  });
}

/** Why there are no phases: a sentence that agrees with the verdict on the source. */
export function whyNoPhases(
  { duration }: ResourceTiming,
  { source, signals = [] }: Attribution,
): string {
  if (source === 'blocked') return 'No phases: the request was blocked before it was sent.';
  if (source === 'failed') return 'Only the total is known: the request failed.';
  if (source === 'memory' && duration === 0)
    return 'No phases: it was in the renderer’s memory and took no time that the clock can show.';
  if (signals.some(({ isHidden }) => isHidden)) {
    const otherwise = source === 'unknown' ? ', or there was no response' : '';
    return `Only the total is known: a cross-origin response without Timing-Allow-Origin hides its phases${otherwise}.`;
  }
  return 'Only the total is known: the browser reported no times between start and end.';
}

const queueing = {
  id: 'queueing',
  title: 'Queueing and stalled',
  says: 'Until the request was sent or the cache was queried, connection included',
} as const;

const worker = {
  id: 'worker',
  title: 'Request to ServiceWorker',
  says: 'Start of the service worker and of its fetch handler',
} as const;

/** The title of the last phase depends on the source of the body. */
function download(attribution: Attribution): Pick<Phase, 'id' | 'title' | 'says'> {
  return {
    id: 'download',
    title: isFromDisk(attribution) ? 'Read from disk cache' : 'Content download',
    says: 'From the first byte to the last, decoding included',
  };
}

/** The title of the waiting phase depends on the source of the response. */
function waiting(attribution: Attribution): Pick<Phase, 'id' | 'title' | 'says'> {
  const id = 'waiting';
  if (attribution.source === 'service-worker')
    return {
      id,
      title: 'Waiting for the service worker',
      says: 'Its fetch handler, until the first byte of its response',
    };
  if (isFromDisk(attribution))
    return {
      id,
      title: 'Waiting for the cache',
      says: 'Opening the entry and reading its headers',
    };
  return {
    id,
    title: 'Waiting for server response',
    says: 'Request sent, and the time to the first byte',
  };
}

/** A prefetch of speculation rules is not in the HTTP cache. */
function isFromDisk({ source, detail }: Attribution): boolean {
  return fromDisk.has(source) && detail !== 'speculation';
}

const fromDisk: ReadonlySet<string> = new Set([
  'disk',
  'prefetch',
  'stale-while-revalidate',
  'early-hints',
]);
