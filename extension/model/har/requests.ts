import { type Parsed } from '../parsed.ts';
import { readArchive } from './entries.ts';
import type { RecordedTraffic } from '../reclaim/recorded-request.ts';

/**
 * Reads the requests of an HTTP Archive. An unreadable entry is counted; a value that is not an archive is a problem.
 */
export function readHarRequests(name: string, json: unknown): Parsed<RecordedTraffic> {
  const archive = readArchive({ name, json });
  if ('problems' in archive) return archive;
  const { entries, excluded } = archive.value;
  const gets = entries.filter(({ request }) => request.method === 'GET');
  const requests = gets
    .map(({ request, response, startedDateTime }) => {
      const { size } = response.content ?? {};
      // A 304 response (Not Modified) has no body: a size that an archive names there is not the resource's.
      const isKnown = typeof size === 'number' && size >= 0 && response.status !== 304;
      return { atMs: Date.parse(startedDateTime), url: request.url, bytes: isKnown ? size : null };
    })
    .toSorted((one, other) => one.atMs - other.atMs);
  const begin = requests[0]?.atMs ?? 0;
  return {
    value: {
      format: 'har',
      requests: requests.map((request) => ({ ...request, atMs: request.atMs - begin })),
      otherMethods: entries.length - gets.length,
      malformed: excluded.count,
      firstMalformed: excluded.problems[0] ?? null,
    },
  };
}
