import * as z from 'zod/mini';

/**
 * The page's Resource Timing entry (W3C Resource Timing; times in ms since the page's time origin). `0` is the value
 * that the browser wrote, not "unknown": a field that the browser does not support is absent.
 */
export const resourceTimingSchema = z.object({
  /** `""`, `"cache"`, `"navigational-prefetch"`, `"cache-storage"`. */
  deliveryType: z.optional(z.string()),
  initiatorType: z.optional(z.string()),
  nextHopProtocol: z.optional(z.string()),
  /** Synthetic in Chromium: encodedBodySize + 300 from the network, 300 for a 304, 0 from a cache. Bytes. */
  transferSize: z.optional(z.number()),
  /** Size before content decoding, as on the wire, also on a cache hit. Bytes; not the size on disk. */
  encodedBodySize: z.optional(z.number()),
  /** Size after content decoding. Bytes. */
  decodedBodySize: z.optional(z.number()),
  responseStatus: z.optional(z.number()),
  contentEncoding: z.optional(z.string()),
  contentType: z.optional(z.string()),
  startTime: z.number(),
  duration: z.number(),
  workerStart: z.optional(z.number()),
  /** Static routing of service workers: the source that the matching rule names; absent or `""` when no rule matched. */
  workerMatchedSourceType: z.optional(z.string()),
  /**
   * The source that finally served the response: `network`, `cache`, `fetch-event` ...; absent or `""` without a
   * service worker.
   */
  workerFinalSourceType: z.optional(z.string()),
  /** 0 or absent: no redirect, or one to another origin. */
  redirectStart: z.optional(z.number()),
  requestStart: z.optional(z.number()),
  firstInterimResponseStart: z.optional(z.number()),
  finalResponseHeadersStart: z.optional(z.number()),
  responseStart: z.optional(z.number()),
  responseEnd: z.optional(z.number()),
});

export type ResourceTiming = z.infer<typeof resourceTimingSchema>;

/**
 * Duration of the request, ms; null while it is under way. The `duration` of a navigation entry includes the load event;
 * the document itself ends with its response.
 */
export function requestDurationMs(timing: ResourceTiming): number | null {
  const { initiatorType, startTime, responseEnd = 0, duration } = timing;
  if (initiatorType !== 'navigation') return duration;
  return responseEnd > 0 ? responseEnd - startTime : null;
}
