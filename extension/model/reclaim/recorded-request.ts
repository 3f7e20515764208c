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
 * resource. A size above `largestBytes`, or not whole, is left out. A URL whose size no request has keeps null.
 */
export function oneSizeEach(recorded: readonly RecordedRequest[], largestBytes: number) {
  const isUsable = ({ bytes }: RecordedRequest) =>
    bytes === null || (Number.isInteger(bytes) && bytes <= largestBytes);
  const usable = recorded.filter(isUsable);
  const sizes = new Map<string, number>();
  for (const { url, bytes } of usable)
    if (bytes !== null) sizes.set(url, Math.max(bytes, sizes.get(url) ?? 0));
  const first = recorded.find((request) => !isUsable(request));
  return {
    requests: usable.map((request) => ({ ...request, bytes: sizes.get(request.url) ?? null })),
    unusable: recorded.length - usable.length,
    firstUnusable: first
      ? `${JSON.stringify(first.url.slice(0, 80))} has ${first.bytes} bytes; it must be a whole number up to ${largestBytes}`
      : null,
  };
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
