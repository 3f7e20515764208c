import { readMarks } from '@cachescope/model/load/messages.ts';
import type { PageRead } from './hit-steps.ts';
import {
  netlogCategory,
  netlogNames,
  NetlogRequests,
  type NetlogRequest,
} from './netlog-request.ts';
import type { TraceEvent } from './trace-event.ts';
import { type ScannedTrace, TraceScanner } from './trace-scanner.ts';

/** What a trace tells of one read of one resource. */
export interface TracedRequest {
  /** null: the trace does not hold both marks of the page. */
  page: PageRead | null;
  /** null: the trace holds no request for the URL between them. */
  request: NetlogRequest | null;
  scanned: ScannedTrace;
}

/** Categories that a trace of a read is taken with: the fewest that tell all steps, so that it costs little. */
export const tracedCategories = [netlogCategory, 'blink.user_timing'] as const;

/** What stands in the text of an event that is read. */
const words = tracedCategories.map((category) => `"cat":"${category}"`);
const names = new RegExp(`"name":"(?:${[...netlogNames, ...Object.values(readMarks)].join('|')})`);

/** Finds one read in a trace that comes in pieces. */
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

/** When the page set the mark: the event itself is written a little later or earlier. */
function calledUs({ ts, args }: TraceEvent): number {
  const data = args?.['data'];
  const { callTime } = (data ?? {}) as { callTime?: unknown };
  return typeof callTime === 'number' ? callTime : ts;
}
