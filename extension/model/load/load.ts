import * as z from 'zod/mini';
import { evidenceDepths, evidenceSchema } from '../attribution/evidence.ts';
import { initiatorSchema } from './initiator.ts';

/** Raised when a field of a load changes its meaning or is removed. */
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

/** Far longer than any load, and far below the limits of charts and dates: 100 days, ms. */
const mostMs = 8_640_000_000;
const since = z.number().check(z.minimum(-mostMs), z.maximum(mostMs));
const span = z.number().check(z.minimum(0), z.maximum(mostMs));
const bytes = z.int().check(z.minimum(0));

/** Redirects before a response, in order: the requested URL and the status of the redirect. */
export const redirectsSchema = z.array(
  z.object({ url: z.string(), status: z.int().check(z.minimum(0), z.maximum(999)) }),
);

const headers = z.array(z.tuple([z.string(), z.string()]));

/**
 * One use of a resource in a load: a row of the panel. An unknown number is null, never 0. The source is derived:
 * `attribute(resource.evidence)`.
 */
export const resourceSchema = z.object({
  /** Position in the load, from 0, by start. */
  sequence: z.int().check(z.minimum(0)),
  /** Requested absolute URL, without fragment. */
  url: z.string(),
  /**
   * URL after redirects; absent when there were none, or unknown. Status and sizes are those of this URL's response.
   */
  finalUrl: z.optional(z.string()),
  /** Absent when there were none, or unknown. */
  redirects: z.optional(redirectsSchema),
  method: z.nullable(z.string()),
  /** Status that the page sees; null when hidden (no Timing-Allow-Origin) or unknown. */
  status: z.nullable(z.int().check(z.minimum(0), z.maximum(999))),
  type: z.enum(resourceTypes),
  /** Media type without parameters; null: unknown. */
  mimeType: z.nullable(z.string()),
  /**
   * Resource Timing's initiatorType: link, script, img, fetch, early-hints, navigation …; null when the page saw
   * nothing.
   */
  initiatorType: z.nullable(z.string()),
  /** What made the request; absent when unknown. */
  initiator: z.optional(initiatorSchema),
  /** DevTools' name of the initial priority: VeryLow to VeryHigh; absent when unknown. */
  priority: z.optional(z.string()),
  /** Where the request came from; a worker's requests are seen from depth webRequest on. */
  context: z.enum(['document', 'frame', 'worker', 'service-worker', 'unknown']),
  /** Content-Encoding of the response, lower case; `identity` when there was none; null: unknown. */
  coding: z.nullable(z.string()),
  /** Since the load began, ms; negative for requests of a prerendered document before it was shown. */
  startMs: since,
  /** null while the request is running, or when its start or end is unknown. */
  durationMs: z.nullable(span),
  /** The request has not finished. Absent: it has, or it is unknown. */
  isRunning: z.optional(z.boolean()),
  /** First byte of the response, ms since the load began; null: unknown. */
  responseStartMs: z.nullable(since),
  /** Bytes that crossed the network, headers included; 0 for a cache hit; null: unknown. */
  transferredBytes: z.nullable(bytes),
  /** Size of the body as encoded on the wire, also on a cache hit. Not the size on disk. */
  encodedBytes: z.nullable(bytes),
  decodedBytes: z.nullable(bytes),
  /** Size of the cache entry's file; known only with the lab. */
  storedBytes: z.nullable(bytes),
  /** Present from depth devtools on (and webRequest, when the headers were requested). */
  requestHeaders: z.optional(headers),
  responseHeaders: z.optional(headers),
  /** Served by an earlier preload or prefetch link, or itself one: Resource Timing's initiatorType link or early-hints. */
  isPreload: z.boolean(),
  /** Witnesses that saw a use of this URL that may be this one: another row may show it again. Absent: none. */
  unpaired: z.optional(z.array(z.enum(evidenceDepths))),
  evidence: evidenceSchema,
});
export type Resource = z.infer<typeof resourceSchema>;

/** The URL of a resource's response: the requested one, or that after redirects. */
export function responseUrl({ url, finalUrl }: Pick<Resource, 'url' | 'finalUrl'>): string {
  return finalUrl ?? url;
}

/** Resources numbered by their position in this list: a file that was edited may have other numbers. */
export function numbered(resources: readonly Resource[]): Resource[] {
  return resources.map((resource, sequence) => ({ ...resource, sequence }));
}

/** One load of one page in one tab, from navigation to the next. */
export const loadSchema = z.object({
  schemaVersion: z.literal(loadSchemaVersion),
  id: z.string(),
  url: z.string(),
  /**
   * ISO 8601, UTC: the document's time origin. For a prerendered document its activation, for a restored one its
   * restore.
   */
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
  /** Witnesses that watched. */
  depths: z.array(z.enum(evidenceDepths)),
  /** ms since the load began; null when not reached or not seen. */
  domContentLoadedMs: z.nullable(span),
  loadMs: z.nullable(span),
  resources: z.array(resourceSchema),
  /** Warnings for the reader, in sentences: entries dropped by the browser, a witness that started late. */
  warnings: z.array(z.string()),
});
export type Load = z.infer<typeof loadSchema>;

/** A load without its resources: an item of the list of loads. */
export type LoadHead = Omit<Load, 'resources'> & { resourceCount: number };
