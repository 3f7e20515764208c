import type { RecordedRequest } from './recorded-request.ts';

/** Recorded requests, each with the size of its URL. */
export interface SizedRequests {
  requests: RecordedRequest[];
  /** Requests whose size the origin cannot serve: left out. */
  unusable: number;
  /** The problem of the first of them; null when there are none. */
  firstUnusable: string | null;
}

/**
 * Gives each URL one size, the largest recorded: smaller ones were ranges or errors, and would make several entries of one
 * resource. A size above `largestBytes`, or not whole, is left out. A URL whose size no request has keeps null.
 */
export function oneSizeEach(
  recorded: readonly RecordedRequest[],
  largestBytes: number,
): SizedRequests {
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
