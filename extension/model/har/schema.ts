import * as z from 'zod/mini';
import { loadSchema, resourceSchema } from '../load/load.ts';

/**
 * HAR writes -1 for an unknown number, DevTools also null or nothing. Programs write other negative numbers when they
 * calculated with unknown values. All of these mean: unknown.
 */
const optionalNumber = z.optional(z.nullable(z.number()));
const words = z.optional(z.nullable(z.string()));

/** Whether a value is a date that HAR allows (ISO 8601). */
export function isDate(text: string | null | undefined): text is string {
  return !Number.isNaN(Date.parse(text ?? ''));
}

const date = z.string().check(z.refine(isDate, 'expected a date (ISO 8601)'));

const headers = z.optional(z.array(z.object({ name: z.string(), value: z.string() })));

/** Fields that begin with `_` are DevTools' own; `_cachescope` is ours, for values that HAR has no field for. */
const responseSchema = z.object({
  status: z.number(),
  /** Target of a redirect, absolute or relative to the request's URL. */
  redirectURL: words,
  headers,
  headersSize: optionalNumber,
  bodySize: optionalNumber,
  content: z.optional(
    z.object({
      size: optionalNumber,
      compression: optionalNumber,
      mimeType: words,
      text: words,
      encoding: words,
    }),
  ),
  _transferSize: optionalNumber,
  _error: words,
  _fetchedViaServiceWorker: z.optional(z.nullable(z.boolean())),
  _serviceWorkerResponseSource: words,
  _responseCacheStorageCacheName: words,
  _serviceWorkerRouterMatchedSourceType: words,
  _serviceWorkerRouterActualSourceType: words,
});

/** One request in a HAR. */
export const harEntrySchema = z.object({
  pageref: words,
  startedDateTime: date,
  time: optionalNumber,
  request: z.object({ method: z.string(), url: z.string(), headers, comment: words }),
  response: responseSchema,
  timings: z.optional(
    z.object({
      blocked: optionalNumber,
      dns: optionalNumber,
      connect: optionalNumber,
      send: optionalNumber,
      wait: optionalNumber,
      receive: optionalNumber,
      ssl: optionalNumber,
      comment: words,
    }),
  ),
  _fromCache: words,
  _resourceType: words,
  _priority: words,
  _initiator: z.optional(z.unknown()),
  _cachescope: z.optional(z.omit(resourceSchema, { requestHeaders: true, responseHeaders: true })),
});

export type HarEntry = z.infer<typeof harEntrySchema>;

/** One page of a HAR. Its start may be missing or no date: its first entry then says when it began. */
export const harPageSchema = z.object({
  id: z.string(),
  startedDateTime: words,
  title: words,
  pageTimings: z.optional(z.object({ onContentLoad: optionalNumber, onLoad: optionalNumber })),
  _cachescope: z.optional(z.omit(loadSchema, { resources: true })),
});

export type HarPage = z.infer<typeof harPageSchema>;

/**
 * An HTTP Archive, versions 1.1 and 1.2 (softwareishard.com/blog/har-12-spec), its pages and entries not yet checked.
 * Fields that these schemas do not name are dropped.
 */
export const harSchema = z.object({
  log: z.object({
    version: z.optional(
      z
        .string()
        .check(z.refine((text) => ['', '1.1', '1.2'].includes(text), 'expected 1.1 or 1.2')),
    ),
    creator: z.optional(z.object({ name: z.string() })),
    pages: z.optional(z.nullable(z.array(z.unknown()))),
    entries: z.array(z.unknown()),
  }),
});
