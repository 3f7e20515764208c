import * as z from 'zod/mini';
import {
  type EvidenceDepth,
  harEvidenceSchema,
  networkEvidenceSchema,
  pageEvidenceSchema,
  webRequestEvidenceSchema,
} from '../attribution/evidence.ts';
import { loadSchema, redirectsSchema, resourceSchema } from './load.ts';

/** A witness's facts about a request besides its evidence. Unknown facts are absent. */
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
  /** The same for a repeated report of the same event: a batch that is sent again changes nothing. */
  key: z.string(),
  /** -1 when no tab is named, as for a service worker's fetches. */
  tabId: z.number(),
  /** Chromium's documentId of the requesting document, when the witness knows it. */
  documentId: z.optional(z.string()),
  /** Chromium's frameId of the requesting document, when the witness knows it; 0: the tab's main frame. */
  frameId: z.optional(z.number()),
  /**
   * `key` of the navigation to the requesting document, for a navigation its own (DevTools protocol, `loaderId`). null:
   * the witness knows that this is no navigation, but not whose request it is. Absent: it knows neither.
   */
  navigationKey: z.optional(z.nullable(z.string())),
  /** Requested absolute URL, without fragment. */
  url: z.string(),
  /** URL after redirects, if there were any. */
  finalUrl: z.optional(z.string()),
  /** Target of this redirect response: this is one hop of a request whose final response is another observation. */
  redirectsTo: z.optional(z.string()),
  /** The redirects before the response, in order, if the witness reports them. */
  redirects: z.optional(redirectsSchema),
  /** Wall clock, ms since the epoch. */
  startedAtMs: z.number(),
  /** The start is unknown: `startedAtMs` is the time of a later event of the request. */
  isStartUnknown: z.optional(z.boolean()),
  /** null while the request is unfinished, or when the end is unknown. */
  endedAtMs: z.nullable(z.number()),
  /** First byte of the response, wall clock, ms since the epoch; absent when unknown. */
  responseStartedAtMs: z.optional(z.number()),
  context: resourceSchema.shape.context,
  facts: factsSchema,
};

/** One witness's observation of one request or use. Evidence of null: it began, and nothing else is known. */
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
/** An observation of DevTools. */
export type DevtoolsObservation = Extract<Observation, { witness: 'devtools' }>;

/**
 * The latest time that an observation covers, wall clock, ms: its witness reports in order and has reported all before.
 */
export function observedUntilMs({ startedAtMs, endedAtMs }: Observation): number {
  return endedAtMs ?? startedAtMs;
}

/** A document of a tab's main frame: the start of a load. */
export const observedDocumentSchema = z.object({
  /** Id of the load. */
  id: z.string(),
  tabId: z.number(),
  /** Chromium's documentId; a document restored from the back/forward cache has several loads. */
  documentId: z.string(),
  url: z.string(),
  /**
   * Time origin; for a restored document its restore, for a prerendered one its activation. Wall clock, ms since the
   * epoch.
   */
  startedAtMs: z.number(),
  /** Time origin of a prerendered document, wall clock, ms; absent for other loads. */
  timeOriginMs: z.optional(z.number()),
  /** So far only DevTools has reported it. */
  isProvisional: z.optional(z.boolean()),
  /** It was removed while its page may still be open: later reports about it are discarded. */
  isForgotten: z.optional(z.boolean()),
  navigationType: loadSchema.shape.navigationType,
  domContentLoadedMs: z.nullable(z.number()),
  loadMs: z.nullable(z.number()),
  /** Resource Timing entries that the browser dropped or that exceeded the number kept. */
  droppedEntries: z.number(),
  /** Observations that arrived when the store was full; absent: none. */
  refusedObservations: z.optional(z.number()),
});
export type ObservedDocument = z.infer<typeof observedDocumentSchema>;

/** A period in which a witness watched a tab, wall clock, ms since the epoch. */
export interface Watch {
  key: string;
  tabId: number;
  depth: EvidenceDepth;
  fromMs: number;
  /** null: it is still watching. */
  toMs: number | null;
}
