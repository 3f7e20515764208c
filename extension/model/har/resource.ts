import { knownSum } from '../extremes.ts';
import { knownFields } from '../known-fields.ts';
import { decodedCoding } from '../coding.ts';
import type { HarEntry } from './schema.ts';
import { harResourceType } from './resource-type.ts';
import { fieldValue, type HeaderFields } from '../load/header-fields.ts';
import { reportedInitiator } from '../load/initiator.ts';
import type { Resource } from '../load/load.ts';
import { withoutFragment } from '../web-url.ts';
import { standIns } from './archive.ts';

/** A resource without its position in the load and its evidence, which need more than one entry. */
export type HarResource = Omit<Resource, 'sequence' | 'evidence'>;

/**
 * A resource as one HAR entry describes it; null for missing values. `loadStart` is the start of the load, ms since the
 * epoch.
 */
export function harResource(entry: HarEntry, loadStart: number): HarResource {
  const { request, response } = entry;
  const startMs = Date.parse(entry.startedDateTime) - loadStart;
  const mimeType = mediaType(response.content?.mimeType);
  const responseHeaders = fieldsOf(response.headers);
  const initiator = reportedInitiator(entry._initiator);
  return {
    url: withoutFragment(request.url),
    method: request.method === '' || request.comment === standIns.method ? null : request.method,
    status: pageStatus(response.status),
    type: harResourceType(entry._resourceType, mimeType),
    mimeType,
    initiatorType: null,
    ...knownFields({
      initiator,
      priority: entry._priority || null,
      requestHeaders: fieldsOf(request.headers),
      responseHeaders,
    }),
    context: 'unknown',
    coding: codingOf(responseHeaders, response.status),
    startMs,
    durationMs: entry.timings?.comment === standIns.time ? null : known(entry.time),
    responseStartMs: responseStart(entry, startMs),
    transferredBytes: transferredBytes(entry),
    encodedBytes: encodedBytes(entry),
    decodedBytes: decodedBytes(entry),
    storedBytes: null,
    isPreload: initiator?.type === 'preload',
  };
}

/** In a HAR, -1, null and an absent value all mean unknown. */
function known(value: number | null | undefined): number | null {
  return value === undefined || value === null || value < 0 ? null : value;
}

/** null without any: the archive does not say what was sent. */
function fieldsOf(
  headers: readonly { name: string; value: string }[] = [],
): [name: string, value: string][] | null {
  return headers.length === 0 ? null : headers.map(({ name, value }) => [name, value]);
}

function mediaType(value: string | null | undefined): string | null {
  const type = (value ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // DevTools' value for a response without Content-Type.
  return type === '' || type === 'x-unknown' ? null : type;
}

/** 0 is DevTools' value for "no response". For a 304, the page usually sees the status of the stored response. */
function pageStatus(status: number): number | null {
  return status <= 0 || status === 304 ? null : status;
}

function codingOf(headers: HeaderFields | null, status: number): string | null {
  if (headers === null) return null;
  // A 304 has no body: what it names is not the coding of the stored one.
  return status === 304 ? null : decodedCoding(fieldValue(headers, 'content-encoding'));
}

/** `ssl` is left out, because it is a part of `connect` (HAR 1.2, timings). */
function responseStart({ timings, response }: HarEntry, startMs: number): number | null {
  const waitMs = known(timings?.wait);
  const isStandIn = timings?.comment === standIns.time || timings?.comment === standIns.phases;
  if (waitMs === null || isStandIn || response.status <= 0) return null;
  const before = [timings?.blocked, timings?.dns, timings?.connect, timings?.send];
  const total = before.reduce<number>((sum, part) => sum + (known(part) ?? 0), startMs + waitMs);
  return Number.isFinite(total) ? total : null;
}

/**
 * DevTools writes the length of a data: URL or a file, and 0 for a failed request: none was seen crossing the network.
 */
function transferredBytes(entry: HarEntry): number | null {
  const { request, response, _fromCache } = entry;
  if (!/^(https?|wss?):/i.test(request.url) || response.status <= 0) return null;
  const size = known(response._transferSize);
  if (size !== null) return size;
  if (_fromCache === 'memory' || _fromCache === 'disk') return 0;
  const bodySize = mayHaveBody(entry) ? response.bodySize : 0;
  return knownSum([known(response.headersSize), known(bodySize)]);
}

/** No body is sent with these, whatever size an archive names: Firefox writes that of the stored body (RFC 9110). */
function mayHaveBody({ request, response }: HarEntry): boolean {
  return request.method !== 'HEAD' && ![204, 205, 304].includes(response.status);
}

/** `bodySize` counts received bytes: it is 0 for a cache hit and a 304, whatever the encoded size of the body. */
function encodedBytes(entry: HarEntry): number | null {
  const { response, _fromCache } = entry;
  const bodySize = known(response.bodySize);
  const isReceived = !_fromCache && response.status > 0 && mayHaveBody(entry);
  if (bodySize === null || !isReceived) return null;
  return bodySize === 0 && response.content?.size !== 0 ? null : bodySize;
}

/** 0 is accepted only if no other field indicates a body. */
function decodedBytes({ response }: HarEntry): number | null {
  const size = known(response.content?.size);
  if (size !== 0) return size;
  const isEmpty = response.status > 0 && response.status !== 304 && response.bodySize === 0;
  return isEmpty ? 0 : null;
}
