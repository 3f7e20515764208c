import { createRandom } from '../statistics/random.ts';
import type { RecordedRequest } from './recorded-request.ts';

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
