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
