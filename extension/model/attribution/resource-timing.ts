import * as z from 'zod/mini';

/**
 * What the page's Resource Timing entry said (W3C Resource Timing; times in ms since the page's time origin).
 * `0` is what the browser wrote, not "unknown": a field the browser does not have is absent.
 */
export const resourceTimingSchema = z.object({
  /** `""`, `"cache"`, `"navigational-prefetch"`, `"cache-storage"`. */
  deliveryType: z.optional(z.string()),
  initiatorType: z.optional(z.string()),
  nextHopProtocol: z.optional(z.string()),
  /** Synthetic in Chromium: encodedBodySize + 300 from the network, 300 for a 304, 0 from a cache. Bytes. */
  transferSize: z.optional(z.number()),
  /** Size before content decoding as it was on the wire, also on a cache hit. Bytes; not what the disk held. */
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
  /** The source that served in the end: `network`, `cache`, `fetch-event` ...; absent or `""` without a service worker. */
  workerFinalSourceType: z.optional(z.string()),
  requestStart: z.optional(z.number()),
  firstInterimResponseStart: z.optional(z.number()),
  finalResponseHeadersStart: z.optional(z.number()),
  responseStart: z.optional(z.number()),
  responseEnd: z.optional(z.number()),
});

export type ResourceTiming = z.infer<typeof resourceTimingSchema>;
