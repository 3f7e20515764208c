import * as z from 'zod/mini';
import {
  type EvidenceDepth,
  harEvidenceSchema,
  networkEvidenceSchema,
  pageEvidenceSchema,
  webRequestEvidenceSchema,
} from '../attribution/evidence.ts';
import { redirectsSchema, resourceSchema } from './load.ts';

/** What a witness told of a request besides its evidence. What it did not tell is absent. */
export const factsSchema = z.partial(
  z.pick(resourceSchema, {
    method: true,
    status: true,
    type: true,
    mimeType: true,
    initiatorType: true,
    initiator: true,
    priority: true,
    coding: true,
    transferredBytes: true,
    encodedBytes: true,
    decodedBytes: true,
    requestHeaders: true,
    responseHeaders: true,
    isPreload: true,
  }),
);
export type Facts = z.infer<typeof factsSchema>;

const common = {
  /** The same for the same thing told twice: a batch that is sent again changes nothing. */
  key: z.string(),
  /** -1 when no tab is named, as for the fetches of a service worker. */
  tabId: z.number(),
  /** The document that asked, by Chromium's documentId, when the witness knows it. */
  documentId: z.optional(z.string()),
  /** Absolute URL that was asked for, without fragment. */
  url: z.string(),
  /** Where redirects led, when they did. */
  finalUrl: z.optional(z.string()),
  /** Where this response redirects to: it is a hop, told by itself, of what another observation ends. */
  redirectsTo: z.optional(z.string()),
  /** The redirects before the response, in order, where the witness tells of them. */
  redirects: z.optional(redirectsSchema),
  /** Wall clock, ms since the epoch. */
  startedAtMs: z.number(),
  /** The start was not told: `startedAtMs` is when a later event of the request was. */
  isStartUnknown: z.optional(z.boolean()),
  /** null while it is not finished, or when it is not known when. */
  endedAtMs: z.nullable(z.number()),
  /** Until the first byte of the response, wall clock; absent when not told. */
  responseStartedAtMs: z.optional(z.number()),
  context: resourceSchema.shape.context,
  facts: factsSchema,
};

/** What one witness told of one request or use. Evidence of null: it began, and no more is known. */
export const observationSchema = z.discriminatedUnion('witness', [
  z.object({ ...common, witness: z.literal('page'), evidence: pageEvidenceSchema }),
  z.object({
    ...common,
    witness: z.literal('webRequest'),
    evidence: z.nullable(webRequestEvidenceSchema),
  }),
  z.object({ ...common, witness: z.literal('devtools'), evidence: harEvidenceSchema }),
  z.object({
    ...common,
    witness: z.literal('debugger'),
    evidence: z.nullable(networkEvidenceSchema),
  }),
]);
export type Observation = z.infer<typeof observationSchema>;

/** The last moment of which an observation tells, wall clock, ms: its witness has told of all before, in order. */
export function toldUntilMs({ startedAtMs, endedAtMs }: Observation): number {
  return endedAtMs ?? startedAtMs;
}

/** A document of a tab's main frame: where a load begins. */
export const observedDocumentSchema = z.object({
  /** Id of the load. */
  id: z.string(),
  tabId: z.number(),
  /** Chromium's documentId; one document has several loads when it is restored from the back/forward cache. */
  documentId: z.string(),
  url: z.string(),
  /** Time origin; of a restored document its restore, of a prerendered one its activation. Wall clock, ms since the epoch. */
  startedAtMs: z.number(),
  /** Time origin of a prerendered document, wall clock, ms; absent where `startedAtMs` says all. */
  timeOriginMs: z.optional(z.number()),
  /** Only DevTools has told of it so far. */
  isProvisional: z.optional(z.boolean()),
  /** It was removed while its page may be open: what that still tells of it is not kept. */
  isForgotten: z.optional(z.boolean()),
  navigationType: z.enum([
    'navigate',
    'reload',
    'back_forward',
    'prerender',
    'back-forward-cache',
    'unknown',
  ]),
  domContentLoadedMs: z.nullable(z.number()),
  loadMs: z.nullable(z.number()),
  /** Resource Timing entries that the browser dropped or that were too many to keep. */
  droppedEntries: z.number(),
  /** Observations that were told when the store was full; absent: none. */
  refusedObservations: z.optional(z.number()),
});
export type ObservedDocument = z.infer<typeof observedDocumentSchema>;

/** A time in which a witness watched a tab, wall clock, ms since the epoch. */
export interface Watch {
  key: string;
  tabId: number;
  depth: EvidenceDepth;
  fromMs: number;
  /** null: it still watches. */
  toMs: number | null;
}
