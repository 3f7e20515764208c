import type { Timings } from 'har-format';
import { standIns, unknownPhases } from './archive.ts';
import type { Resource } from '../load/load.ts';

/** Phases of a resource as HAR names them, ms. Their sum is the duration. */
export function harTimings({ durationMs, responseStartMs, startMs, evidence }: Resource): Timings {
  if (durationMs === null || responseStartMs === null) return unknownPhases(durationMs);
  const firstByteMs = clamped(responseStartMs - startMs, durationMs);
  const receive = durationMs - firstByteMs;
  const timing = evidence.page?.timing;
  if (!timing) return { send: 0, wait: firstByteMs, receive, comment: standIns.wait };
  const blocked = clamped(requestStart(timing), firstByteMs);
  return { blocked, send: 0, wait: firstByteMs - blocked, receive };
}

/** From the start of the use until its request is sent, ms; 0 without its own request. */
function requestStart(timing: { requestStart?: number | undefined; startTime: number }): number {
  return timing.requestStart ? timing.requestStart - timing.startTime : 0;
}

function clamped(ms: number, most: number): number {
  return Math.min(Math.max(ms, 0), most);
}
