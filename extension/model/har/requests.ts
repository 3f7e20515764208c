import { type Parsed } from '../parsed.ts';
import { schemeOf } from '../web-url.ts';
import { readArchive } from './entries.ts';
import type { HarEntry } from './schema.ts';
import type { RecordedTraffic } from '../reclaim/recorded-request.ts';

/**
 * Reads the requests of an HTTP Archive that a server answered. Other GET requests and unreadable entries are counted; a
 * value that is not an archive is a problem.
 */
export function readHarRequests(name: string, json: unknown): Parsed<RecordedTraffic> {
  const archive = readArchive({ name, json });
  if ('problems' in archive) return archive;
  const { entries, excluded } = archive.value;
  const gets = entries.filter(({ request }) => request.method === 'GET');
  const usable = gets.filter(isAnswered);
  const unusable = gets.find((entry) => !isAnswered(entry));
  const requests = usable
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
      malformed: excluded.count + gets.length - usable.length,
      firstMalformed: excluded.problems[0] ?? (unusable ? whyUnusable(name, unusable) : null),
    },
  };
}

/** Whether it can be in a cache: a data: or extension URL is not, and a failed request (status 0) has no response. */
function isAnswered({ request, response }: HarEntry): boolean {
  return /^https?$/.test(schemeOf(request.url)) && response.status > 0;
}

function whyUnusable(name: string, { request }: HarEntry): string {
  return `${name}: ${JSON.stringify(request.url.slice(0, 80))} has no HTTP response`;
}
