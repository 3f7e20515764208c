import * as z from 'zod/mini';
import { resourceTimingSchema } from './resource-timing.ts';

export { type EvidenceDepth, evidenceDepths, mostHeaderBytes, redirectStatuses } from './depth.ts';

/** What the page itself can observe of one use of a resource. */
export const pageEvidenceSchema = z.object({
  /** null: the browser delivered no separate Resource Timing entry for this use. */
  timing: z.nullable(resourceTimingSchema),
  /** A service worker controls the page: most of its responses look like cache hits in Resource Timing. */
  hasServiceWorker: z.optional(z.boolean()),
  /** Decoded bytes the page received, when it read the body. */
  bodyBytes: z.optional(z.number()),
  /** The document was restored: `pageshow` with `persisted` (HTML, "reactivate a document"). */
  isBackForwardRestore: z.optional(z.boolean()),
  /** The Content-Security-Policy directive that blocked this use (`securitypolicyviolation`). */
  blockedBy: z.optional(z.string()),
  /**
   * If the entry has no times, the request may never have been sent: the URL has the document's own origin, or is less
   * secure than the document. Absent: no.
   */
  mayBeBlocked: z.optional(z.boolean()),
  /** The URL has the document's own origin: only a redirect to another origin can hide its times. Absent: no. */
  isSameOrigin: z.optional(z.boolean()),
  /** Whether another witness saw it redirected; absent: no other witness saw the request. */
  isRedirected: z.optional(z.boolean()),
  /** `startTime` of an earlier entry for the same URL in the same document: a preload's, or an earlier use's. */
  earlierEntry: z.optional(
    z.object({
      startTime: z.number(),
      initiatorType: z.optional(z.string()),
      /** The entry is that of a preload or modulepreload link, or of an early hint; absent: unknown. */
      isPreload: z.optional(z.boolean()),
    }),
  ),
});
export type PageEvidence = z.infer<typeof pageEvidenceSchema>;

/** chrome.webRequest's report of one request, all its events combined. */
export const webRequestEvidenceSchema = z.object({
  /** `fromCache` of onCompleted (or onBeforeRedirect, for a redirect). */
  fromCache: z.boolean(),
  statusCode: z.number(),
  /** Requests for this URL that chrome.webRequest reported within this use; 2 is a sign of stale-while-revalidate. */
  requests: z.number(),
  /** The request was for the document of a frame or tab; absent: no, or unknown. */
  isNavigation: z.optional(z.boolean()),
  /** `error` of onErrorOccurred: `net::ERR_…`. With the status of a redirect: that was not followed. */
  error: z.optional(z.string()),
  /** A response had begun before the error (`ip` of onErrorOccurred); absent: no, or unknown. */
  hasResponse: z.optional(z.boolean()),
});
export type WebRequestEvidence = z.infer<typeof webRequestEvidenceSchema>;

/** Fields that DevTools and the protocol both report for a service worker's response, with the same values. */
const workerEvidenceSchema = z.object({
  /** `serviceWorkerResponseSource`: `network`, `http-cache`, `cache-storage`, `fallback-code`. */
  serviceWorkerResponseSource: z.optional(z.string()),
  /** Name of the Cache Storage. */
  cacheStorageName: z.optional(z.string()),
  /** Status of the response (304 or other) to the service worker's own fetch of this URL; null when it made none. */
  serviceWorkerFetchStatus: z.optional(z.nullable(z.number())),
  /** Static routing: the source of the matched rule, and the actual source. */
  routerMatched: z.optional(z.string()),
  routerActual: z.optional(z.string()),
});
export type WorkerEvidence = z.infer<typeof workerEvidenceSchema>;

/** DevTools' HAR entry of one request (fields that begin with `_` are DevTools' own). */
export const harEvidenceSchema = z.object({
  status: z.number(),
  /** `_fromCache`; absent when DevTools named no cache. */
  fromCache: z.optional(z.enum(['memory', 'disk'])),
  /** `response._transferSize`, bytes; null when absent. */
  transferSize: z.nullable(z.number()),
  /** `response._fetchedViaServiceWorker`. */
  fetchedViaServiceWorker: z.boolean(),
  /** Fields of `response` with these names, in DevTools with a leading `_`. */
  ...workerEvidenceSchema.shape,
  /**
   * Fewer bytes arrived than the body has, and no more than a header section: it may be a 304 that DevTools reports as
   * 200.
   */
  isShort: z.optional(z.boolean()),
  /** This redirect is itself the response: its target was never asked for. Absent: no. */
  isHanded: z.optional(z.boolean()),
  /** `response._error`: why there is no complete response. */
  error: z.optional(z.string()),
  /** A range was complete, and shorter than Content-Length says. Absent: no, or unknown. */
  isCutShort: z.optional(z.boolean()),
  /** More bytes arrived than its header section has. Absent: no, or unknown. */
  isLonger: z.optional(z.boolean()),
  /** `transferSize` is that of the body. Absent: no, or unknown. */
  isWithoutHeaders: z.optional(z.boolean()),
  /** The header section names no content coding. Absent: it does, or there is none. */
  isUncoded: z.optional(z.boolean()),
  /** Asked for by `fetch()` or XMLHttpRequest: the renderer keeps no copy. Absent: no. */
  isFetch: z.optional(z.boolean()),
  /** Response headers `Cache-Control`, `Age`, `Date`, unchanged, if present: they show whether a response was stale. */
  cacheControl: z.optional(z.string()),
  age: z.optional(z.string()),
  date: z.optional(z.string()),
});
export type HarEvidence = z.infer<typeof harEvidenceSchema>;

/** The report of the DevTools protocol's Network domain on one request, after its last event. */
export const networkEvidenceSchema = z.object({
  /** A `requestServedFromCache` event arrived. The other fields then describe the response's first use. */
  requestServedFromCache: z.boolean(),
  /** `responseReceived.response.from...` */
  fromDiskCache: z.boolean(),
  fromPrefetchCache: z.boolean(),
  fromServiceWorker: z.boolean(),
  fromEarlyHints: z.boolean(),
  /** Status that the page sees. */
  status: z.number(),
  /** Status of `responseReceivedExtraInfo`, which is sent only if the network was used; null when it did not arrive. */
  extraInfoStatus: z.nullable(z.number()),
  /** `loadingFinished`: bytes received, headers included; null when loading has not finished. */
  encodedDataLength: z.nullable(z.number()),
  /** The body was complete, and shorter than Content-Length says. Absent: no, or unknown. */
  isCutShort: z.optional(z.boolean()),
  /** More bytes arrived after the first response. Absent: no, or unknown. */
  hasFurtherBytes: z.optional(z.boolean()),
  /** The request for a document. Absent: no, or unknown. */
  isNavigation: z.optional(z.boolean()),
  /** The request by which speculation rules or a link fetch ahead, not a use of what they fetched. Absent: no. */
  isPrefetch: z.optional(z.boolean()),
  /** Of `response`; static routing of `response.serviceWorkerRouterInfo`. */
  ...workerEvidenceSchema.shape,
  /** `response.protocol`: `data` and `blob` among others. */
  protocol: z.optional(z.string()),
  /** Another request for this URL, in the same load, began with this one and never reported loadingFinished. */
  hasUnfinishedTwin: z.optional(z.boolean()),
  /** `loadingFailed`: `net::ERR_…`; may be empty for a request that was never sent. */
  errorText: z.optional(z.string()),
  /** `loadingFailed.blockedReason`: `csp`, `mixed-content`, `inspector` and others. */
  blockedReason: z.optional(z.string()),
  /** `loadingFailed.corsErrorStatus.corsError`. */
  corsError: z.optional(z.string()),
  /** `loadingFailed.canceled`: the requester canceled it. */
  isCanceled: z.optional(z.boolean()),
  /** `Page.frameNavigated` with type BackForwardCacheRestore. */
  isBackForwardRestore: z.optional(z.boolean()),
});
export type NetworkEvidence = z.infer<typeof networkEvidenceSchema>;

/**
 * All evidence of one use of a resource. An absent witness did not watch. A witness that is null watched and saw
 * nothing of this use. That is evidence too: chrome.webRequest cannot see memory cache hits.
 */
export const evidenceSchema = z.object({
  /** The URL's scheme, lower case, without colon: a data: or blob: URL needs no other witness. */
  scheme: z.optional(z.string()),
  page: z.optional(z.nullable(pageEvidenceSchema)),
  webRequest: z.optional(z.nullable(webRequestEvidenceSchema)),
  devtools: z.optional(z.nullable(harEvidenceSchema)),
  debugger: z.optional(z.nullable(networkEvidenceSchema)),
});
export type Evidence = z.infer<typeof evidenceSchema>;
