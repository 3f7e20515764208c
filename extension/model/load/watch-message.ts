import * as z from 'zod/mini';
import { evidenceDepths } from '../attribution/evidence.ts';
import { observationSchema } from './observation.ts';
import { pageBatchSchema } from './page-batch.ts';

/** Requests of the extension's parts to its service worker. A batch is answered when it is stored. */
export const watchRequestSchema = z.discriminatedUnion('type', [
  /** From a new document: is its tab watched? */
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
  /** Of a tab to which the debugger is attached: empties the cache of the whole browser. */
  z.object({ type: z.literal('clear-cache'), tabId: z.number() }),
  /** Of a tab to which the debugger is attached: exactly these URLs are blocked, until it is detached. */
  z.object({ type: z.literal('block-urls'), tabId: z.number(), urls: z.array(z.string()) }),
]);
export type WatchRequest = z.infer<typeof watchRequestSchema>;

/** The answer to a request, or an error. */
export type WatchAnswer = { done: true; isWatched?: boolean } | { error: string };

/** A message of the service worker to the frames of a tab. */
export interface FrameOrder {
  type: 'watch' | 'unwatch';
}

/** A message of the service worker to the panels. */
export const loadsChangedSchema = z.object({
  type: z.literal('loads-changed'),
  /** Loads that are new, have more resources, or were removed. */
  ids: z.array(z.string()),
});
export type LoadsChanged = z.infer<typeof loadsChangedSchema>;

/** Prefix of the port name with which a tab's DevTools page announces itself: `devtools-TABID`. */
export const devtoolsPortPrefix = 'devtools-';
