import * as z from 'zod/mini';
import { resourceTimingSchema } from '../attribution/resource-timing.ts';

/** One use of a resource as a document saw it. */
const pageUseSchema = z.object({
  /** Position among the uses of its document, from 0, -1 for the document itself: the same when it is sent again. */
  index: z.number(),
  /** Absolute URL without fragment. */
  url: z.string(),
  /** ms since the document's time origin: startTime of the entry, or when a use without one ended. */
  atMs: z.number(),
  /** null: a use without an entry of its own. */
  timing: z.nullable(resourceTimingSchema),
  /** For a use without entry: the tag that used it. */
  tag: z.optional(z.string()),
  earlierEntry: z.optional(
    z.object({
      startTime: z.number(),
      initiatorType: z.optional(z.string()),
      isPreload: z.optional(z.boolean()),
    }),
  ),
  /** A preload, modulepreload or prefetch link of the document names this URL. */
  isPreload: z.boolean(),
  hasServiceWorker: z.boolean(),
  /** The directive of the Content-Security-Policy that forbade it. */
  blockedBy: z.optional(z.string()),
});
export type PageUse = z.infer<typeof pageUseSchema>;

/** What a document tells of itself with each batch. */
export const pageBatchSchema = z.object({
  url: z.string(),
  /** `self.origin`; `null` for a sandboxed document. Absent: not told. */
  origin: z.optional(z.string()),
  /** `performance.timeOrigin`: wall clock, ms since the epoch. */
  timeOriginMs: z.number(),
  /** ms since the time origin when a prerendered document was first shown; 0 for any other (Prerendering, `activationStart`). */
  activationStartMs: z.number(),
  /** The document left before it was known whether its tab is watched. */
  mayBeUnwatched: z.optional(z.boolean()),
  /** PerformanceNavigationTiming.type; null before there is such an entry. */
  navigationType: z.nullable(z.string()),
  /** Response and size of the document itself are in its navigation entry, sent as a use when it has loaded. */
  domContentLoadedMs: z.nullable(z.number()),
  loadMs: z.nullable(z.number()),
  /** Entries that the browser dropped or that are beyond what is kept of a document. */
  droppedEntries: z.number(),
  /** When the document last came back from the back/forward cache, ms since its time origin; null when never. */
  restoredAtMs: z.nullable(z.number()),
  uses: z.array(pageUseSchema),
});
export type PageBatch = z.infer<typeof pageBatchSchema>;
