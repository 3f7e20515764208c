import { checked, type Parsed } from './parsed.ts';
import { harEntrySchema, harSchema } from './har-schema.ts';
import type { RecordedTraffic } from './recorded-request.ts';

/** Reads the requests of an HTTP Archive. An entry that cannot be read is counted; a text that is no archive is a problem. */
export function readHarRequests(name: string, json: unknown): Parsed<RecordedTraffic> {
  const har = checked(name, harSchema, json);
  if ('problems' in har) return har;
  const traffic: RecordedTraffic = {
    format: 'har',
    requests: [],
    otherMethods: 0,
    malformed: 0,
    firstMalformed: null,
  };
  for (const [index, item] of har.value.log.entries.entries()) {
    const entry = checked(`entry ${index}`, harEntrySchema, item);
    if ('problems' in entry) {
      traffic.malformed++;
      traffic.firstMalformed ??= entry.problems[0] ?? `entry ${index}`;
      continue;
    }
    const { request, response, startedDateTime } = entry.value;
    const { size } = response.content ?? {};
    // The answer Not Modified (304) has no body: what is told of one is none of the resource's.
    const isTold = typeof size === 'number' && size >= 0 && response.status !== 304;
    const bytes = isTold ? size : null;
    if (request.method === 'GET')
      traffic.requests.push({ atMs: Date.parse(startedDateTime), url: request.url, bytes });
    else traffic.otherMethods++;
  }
  traffic.requests.sort((one, other) => one.atMs - other.atMs);
  const begin = traffic.requests[0]?.atMs ?? 0;
  for (const request of traffic.requests) request.atMs -= begin;
  return { value: traffic };
}
