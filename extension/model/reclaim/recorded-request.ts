import { createRandom } from '../statistics/random.ts';

/** A request of a log. */
export interface RecordedRequest {
  /** ms since the first request of the log. */
  atMs: number;
  /** Path or URL of the resource. */
  url: string;
  /** Bytes of the response body; null when the log does not say. */
  bytes: number | null;
}

/** A parsed log of requests. */
export interface RecordedTraffic {
  format: 'har' | 'common log';
  /** In order of time. */
  requests: RecordedRequest[];
  /** Requests with a method other than GET. */
  otherMethods: number;
  /** Lines, or HAR entries, that could not be read, and HAR entries without an HTTP response. */
  malformed: number;
  /** Place and problem of the first of them; null when there are none. */
  firstMalformed: string | null;
}

/**
 * Gives each URL one size, the largest recorded: smaller ones were ranges or errors, and would make several entries of one
 * resource. Left out are requests with a size above `largestBytes` or not whole, and those of a URL without a size: as
 * empty bodies they would fill no cache.
 */
export function oneSizeEach(recorded: readonly RecordedRequest[], largestBytes: number) {
  const isPossible = (bytes: number) => Number.isInteger(bytes) && bytes <= largestBytes;
  const sizes = new Map<string, number>();
  for (const { url, bytes } of recorded)
    if (bytes !== null && isPossible(bytes)) sizes.set(url, Math.max(bytes, sizes.get(url) ?? 0));
  const sizeOf = ({ url, bytes }: RecordedRequest): number | undefined =>
    bytes === null || isPossible(bytes) ? sizes.get(url) : undefined;
  const requests = recorded.flatMap((request) => {
    const bytes = sizeOf(request);
    return bytes === undefined ? [] : [{ ...request, bytes }];
  });
  const first = recorded.find((request) => sizeOf(request) === undefined);
  return {
    requests,
    unusable: recorded.length - requests.length,
    firstUnusable: first ? whyUnusable(first, largestBytes) : null,
  };
}

function whyUnusable({ url, bytes }: RecordedRequest, largestBytes: number): string {
  const has = bytes === null ? 'no size in any line' : `${bytes} bytes`;
  return `${JSON.stringify(url.slice(0, 80))} has ${has}; it must be a whole number up to ${largestBytes}`;
}

export interface ReplayOptions {
  /** Speed relative to the recording; above 0. */
  speed: number;
  /** Share of the requests that is sent, above 0 to 1; each request is drawn independently. */
  share: number;
  seed: number;
  /** No request is due from this time on, ms. */
  timeMs: number;
}

/** A recorded request with the time at which it is due. */
export interface ReplayedRequest {
  /** ms since the first request sent. */
  dueMs: number;
  /** Short name of its URL; equal URLs have equal names. */
  key: string;
  bytes: number | null;
}

/**
 * The requests to send, in the order of their times: the gaps between them are those of the log, divided by the speed. The
 * same seed draws the same share.
 */
export function replayed(
  recorded: readonly RecordedRequest[],
  { speed, share, seed, timeMs }: ReplayOptions,
): ReplayedRequest[] {
  const random = createRandom(seed);
  const keys = new Map<string, string>();
  const drawn = recorded.filter(() => random() < share);
  const begin = drawn[0]?.atMs ?? 0;
  const requests: ReplayedRequest[] = [];
  for (const { atMs, url, bytes } of drawn) {
    const dueMs = (atMs - begin) / speed;
    if (dueMs >= timeMs) break;
    const key = keys.get(url) ?? `u${keys.size}`;
    keys.set(url, key);
    requests.push({ dueMs, key, bytes });
  }
  return requests;
}
