import * as z from 'zod/mini';
import { evidenceDepths, evidenceSchema } from '../attribution/evidence.ts';
import { initiatorSchema } from './initiator.ts';

/** Raised when a field of a load changes its meaning or goes away. */
export const loadSchemaVersion = 1;

/** DevTools' resource types, in lower case. */
export const resourceTypes = [
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'fetch',
  'manifest',
  'websocket',
  'wasm',
  'other',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** Far beyond any load, and far below what a chart or a date can hold: 100 days, ms. */
const mostMs = 8_640_000_000;
const since = z.number().check(z.minimum(-mostMs), z.maximum(mostMs));
const span = z.number().check(z.minimum(0), z.maximum(mostMs));
const bytes = z.int().check(z.minimum(0));

/** Redirects before a response, in order: what was asked for, and the status that sent it on. */
export const redirectsSchema = z.array(
  z.object({ url: z.string(), status: z.int().check(z.minimum(0), z.maximum(999)) }),
);

const headers = z.array(z.tuple([z.string(), z.string()]));

/**
 * One use of a resource in a load: a row of the panel. Every number that nobody told is null, never 0. Where it came
 * from is derived: `attribute(resource.evidence)`.
 */
export const resourceSchema = z.object({
  /** Position in the load, from 0, by start. */
  sequence: z.int().check(z.minimum(0)),
  /** Absolute URL that was asked for, without fragment. */
  url: z.string(),
  /** Where redirects led; absent when there were none, or nobody told. Status and sizes are those of this response. */
  finalUrl: z.optional(z.string()),
  /** Absent when there were none, or nobody told. */
  redirects: z.optional(redirectsSchema),
  method: z.nullable(z.string()),
  /** Status that the page sees; null when hidden (no Timing-Allow-Origin) or not told. */
  status: z.nullable(z.int().check(z.minimum(0), z.maximum(999))),
  type: z.enum(resourceTypes),
  /** Media type without parameters; null when not told. */
  mimeType: z.nullable(z.string()),
  /** Resource Timing's word: link, script, img, fetch, early-hints, navigation …; null when the page saw nothing. */
  initiatorType: z.nullable(z.string()),
  /** What made the request; absent when nobody told. */
  initiator: z.optional(initiatorSchema),
  /** DevTools' word for the priority that it began with: VeryLow to VeryHigh; absent when nobody told. */
  priority: z.optional(z.string()),
  /** Where it was asked for; a worker's requests are seen from depth webRequest on. */
  context: z.enum(['document', 'frame', 'worker', 'service-worker', 'unknown']),
  /** Content-Encoding of the response, lower case; `identity` when there was none; null when not told. */
  coding: z.nullable(z.string()),
  /** Since the load began, ms; below 0 for what a prerendered document fetched before it was shown. */
  startMs: since,
  /** null while it is not finished. */
  durationMs: z.nullable(span),
  /** Until the response's first byte, ms since the load began; null when not told. */
  responseStartMs: z.nullable(since),
  /** Bytes that really crossed the network, headers included; 0 for a hit; null when not told. */
  transferredBytes: z.nullable(bytes),
  /** Body as it was on the wire, also on a hit. Not what the disk holds. */
  encodedBytes: z.nullable(bytes),
  decodedBytes: z.nullable(bytes),
  /** Size of the cache entry's file; only the lab can tell. */
  storedBytes: z.nullable(bytes),
  /** Present from depth devtools on (and webRequest, where the headers were asked for). */
  requestHeaders: z.optional(headers),
  responseHeaders: z.optional(headers),
  /** Served by an earlier preload or prefetch link, or itself one: Resource Timing's initiatorType link or early-hints. */
  isPreload: z.boolean(),
  /** Witnesses that saw a use of this URL which may be this one: another row may show it again. Absent: none. */
  unpaired: z.optional(z.array(z.enum(evidenceDepths))),
  evidence: evidenceSchema,
});
export type Resource = z.infer<typeof resourceSchema>;

/** One load of one page in one tab, from navigation to the next. */
export const loadSchema = z.object({
  schemaVersion: z.literal(loadSchemaVersion),
  id: z.string(),
  url: z.string(),
  /** ISO 8601, UTC: the document's time origin; the activation of a prerendered, the restore of a restored one. */
  startedAt: z.iso.datetime(),
  /** PerformanceNavigationTiming.type, or `back-forward-cache` for a restored document. */
  navigationType: z.enum([
    'navigate',
    'reload',
    'back_forward',
    'prerender',
    'back-forward-cache',
    'unknown',
  ]),
  /** Which witnesses watched. */
  depths: z.array(z.enum(evidenceDepths)),
  /** ms since the load began; null when not reached or not seen. */
  domContentLoadedMs: z.nullable(span),
  loadMs: z.nullable(span),
  resources: z.array(resourceSchema),
  /** What a reader must know, in sentences: entries dropped by the browser, a witness that came late. */
  warnings: z.array(z.string()),
});
export type Load = z.infer<typeof loadSchema>;

/** A load without its resources: a line in the list of loads. */
export type LoadHead = Omit<Load, 'resources'> & { resourceCount: number };
