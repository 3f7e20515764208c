import type { RecordedRequest } from './recorded-request.ts';

/** Recorded requests, each with the size of its URL. */
export interface SizedRequests {
  requests: RecordedRequest[];
  /** Requests with a size that no item can have: left out. */
  unusable: number;
  /** What is wrong with the first of them; null without any. */
  firstUnusable: string | null;
}

/**
 * Gives each URL one size, its largest: less was part of it, or an error. Otherwise one resource would be several items of a
 * cache. A size beyond `largestBytes`, or not whole, is none that an item can have. One that no request tells stays null.
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
