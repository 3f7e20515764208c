import * as z from 'zod/mini';
import { resourceTimingSchema } from '../attribution/resource-timing.ts';

/** One use of a resource as a document observed it. */
const pageUseSchema = z.object({
  /** Position among the uses of its document, from 0; -1 for the document itself. It is the same when sent again. */
  index: z.number(),
  /** Absolute URL without fragment. */
  url: z.string(),
  /** ms since the document's time origin: startTime of the entry, or the end of a use without one. */
  atMs: z.number(),
  /** null: a use without its own entry. */
  timing: z.nullable(resourceTimingSchema),
  /** For a use without an entry: the tag of the element. */
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
  /** The Content-Security-Policy directive that blocked it. */
  blockedBy: z.optional(z.string()),
});
export type PageUse = z.infer<typeof pageUseSchema>;

/** A document's report about itself, sent with each batch. */
export const pageBatchSchema = z.object({
  url: z.string(),
  /** `self.origin`; `null` for a sandboxed document. Absent: unknown. */
  origin: z.optional(z.string()),
  /** No document embeds it (`self === self.top`): the tab's own, or that of a fenced frame. Absent: unknown. */
  isTop: z.optional(z.boolean()),
  /** It began as about:blank, whatever a script wrote into it since. Absent: unknown. */
  isBlank: z.optional(z.boolean()),
  /** `performance.timeOrigin`: wall clock, ms since the epoch. */
  timeOriginMs: z.number(),
  /** ms since the time origin when a prerendered document was first shown; 0 for any other (Prerendering, `activationStart`). */
  activationStartMs: z.number(),
  /** The document was unloaded before it was known whether its tab is watched. */
  mayBeUnwatched: z.optional(z.boolean()),
  /** PerformanceNavigationTiming.type; null before that entry exists. */
  navigationType: z.nullable(z.string()),
  /** Response and size of the document itself are in its navigation entry, sent as a use when it has loaded. */
  domContentLoadedMs: z.nullable(z.number()),
  loadMs: z.nullable(z.number()),
  /** Entries that the browser dropped or that exceed the number kept per document. */
  droppedEntries: z.number(),
  /** Latest restore from the back/forward cache, ms since the time origin; null: never restored. */
  restoredAtMs: z.nullable(z.number()),
  uses: z.array(pageUseSchema),
});
export type PageBatch = z.infer<typeof pageBatchSchema>;
