import * as z from 'zod/mini';
import { evidenceDepths } from '../attribution/evidence.ts';
import { observationSchema } from './observation.ts';
import { pageBatchSchema } from './page-batch.ts';

/** What parts of the extension ask of its service worker. A batch is answered when it is stored. */
export const watchRequestSchema = z.discriminatedUnion('type', [
  /** A document that begins: is its tab watched? */
  z.object({ type: z.literal('is-watched') }),
  z.object({ type: z.literal('page-batch'), batch: pageBatchSchema }),
  /** From the DevTools page of a tab. */
  z.object({ type: z.literal('devtools-batch'), observations: z.array(observationSchema) }),
  /** DevTools shows a new page of its tab; `startedAtMs` is wall clock. */
  z.object({
    type: z.literal('devtools-navigated'),
    tabId: z.number(),
    url: z.string(),
    startedAtMs: z.number(),
  }),
  /** null: the tab is no longer watched. */
  z.object({
    type: z.literal('set-depth'),
    tabId: z.number(),
    depth: z.nullable(z.enum(evidenceDepths)),
  }),
]);
export type WatchRequest = z.infer<typeof watchRequestSchema>;

/** The answer to a request, or why there is none. */
export type WatchAnswer = { done: true; isWatched?: boolean } | { error: string };

/** What the service worker tells the frames of a tab. */
export interface FrameOrder {
  type: 'watch' | 'unwatch';
}

/** What the service worker tells the panels. */
export const loadsChangedSchema = z.object({
  type: z.literal('loads-changed'),
  /** Loads that are new, have more resources, or are gone. */
  ids: z.array(z.string()),
});
export type LoadsChanged = z.infer<typeof loadsChangedSchema>;

/** Name of the port by which the DevTools page of a tab says that it is there: `devtools-TABID`. */
export const devtoolsPortPrefix = 'devtools-';
