import * as z from 'zod/mini';
import type { HarEntry } from '../har/schema.ts';
import { chromiumCache, usableUntil } from '../caching/freshness.ts';
import { harResourceType } from '../har/resource-type.ts';
import { fieldValue, type HeaderFields } from '../load/header-fields.ts';
import { withoutFragment } from '../web-url.ts';
import {
  type Caching,
  mayAsk,
  mimeTypeOf,
  type PageCoding,
  type PageResource,
  priorities,
  resourceName,
  typicalWireShare,
} from './page.ts';

/** The URL without its fragment. */
export function urlOf({ request }: HarEntry): string {
  return withoutFragment(request.url);
}

function mimeOf({ response }: HarEntry): string | null {
  const mime = (response.content?.mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : null;
}

/** DevTools' resource type, otherwise by the media type. */
export function typeOf(entry: HarEntry): PageResource['type'] {
  return harResourceType(entry._resourceType, mimeOf(entry));
}

function known(value: number | null | undefined): number | null {
  return typeof value === 'number' && value >= 0 ? Math.round(value) : null;
}

/** Size of the decoded body; null when unknown. A body without content coding has its size on the wire. */
export function bodyBytesOf(entry: HarEntry): number | null {
  const { content, bodySize } = entry.response;
  const wireBytes = codingOf(entry) === 'identity' ? known(bodySize) : null;
  return known(content?.size) ?? wireBytes;
}

function headersOf({ response }: HarEntry): HeaderFields {
  return (response.headers ?? []).map(({ name, value }) => [name, value]);
}

const codings: Readonly<Record<string, PageCoding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'gzip',
  br: 'br',
  dcb: 'br',
  zstd: 'zstd',
  dcz: 'zstd',
};

/** Codings whose size on the wire depends on a dictionary, and says nothing about the body alone (RFC 9842). */
const byDictionary: ReadonlySet<string> = new Set(['dcb', 'dcz']);

function contentEncodingOf(entry: HarEntry): string {
  return fieldValue(headersOf(entry), 'content-encoding')?.trim().toLowerCase() ?? '';
}

function codingOf(entry: HarEntry): PageCoding {
  return codings[contentEncodingOf(entry)] ?? 'identity';
}

function cachingOf(entry: HarEntry): Caching {
  const receivedAt = Date.parse(entry.startedDateTime) + (known(entry.time) ?? 0);
  const response = { status: entry.response.status, headers: headersOf(entry), receivedAt };
  if (chromiumCache.directives(response).has('no-store')) return 'no-store';
  return usableUntil(response) > receivedAt ? 'fresh' : 'stale';
}

/** Share of the body that is sent on the wire; a wire size of 0 means a cache hit, not an empty body. */
function wireShareOf(entry: HarEntry, bodyBytes: number, mimeType: string): number {
  const { bodySize, content } = entry.response;
  const saved = known(content?.compression);
  const wireBytes = known(bodySize) || (saved ? bodyBytes - saved : 0);
  const isOfBody = codingOf(entry) !== 'identity' && !byDictionary.has(contentEncodingOf(entry));
  if (wireBytes <= 0 || !isOfBody) return typicalWireShare(mimeType);
  return Math.min(1, Math.max(0.005, wireBytes / bodyBytes));
}

/** The resource of an entry; its parent is not known from the entry alone. */
export function resourceOf(entry: HarEntry): PageResource {
  const type = typeOf(entry);
  const mimeType = mimeOf(entry) ?? mimeTypeOf(type);
  const bodyBytes = bodyBytesOf(entry) ?? 1;
  return {
    url: urlOf(entry),
    name: resourceName(urlOf(entry)),
    type,
    mimeType,
    bodyBytes,
    wireShare: wireShareOf(entry, bodyBytes, mimeType),
    coding: codingOf(entry),
    caching: cachingOf(entry),
    parent: null,
    priority: priorities.find((priority) => priority === entry._priority) ?? null,
  };
}

/** DevTools' `_initiator`: a position in a document or stylesheet, or a JavaScript stack trace (Network.Initiator). */
const initiatorSchema = z.object({
  url: z.optional(z.string()),
  stack: z.optional(z.unknown()),
});
const stackSchema = z.object({
  callFrames: z.optional(z.array(z.object({ url: z.optional(z.string()) }))),
  parent: z.optional(z.unknown()),
});

/** Maximum number of parent stacks (of timers and promises) that are followed. */
const deepestStack = 32;

/**
 * Sets the parent of every resource: the one that its initiator names, if that is an earlier resource that can request
 * it; otherwise the one that its Referer names; otherwise the document, which is the first.
 */
export function placeInTree(
  entries: readonly HarEntry[],
  resources: readonly PageResource[],
): PageResource[] {
  const places = new Map<string, number>();
  return resources.map((resource, place) => {
    const candidates = [...initiatorUrls(entries[place]?._initiator), refererOf(entries[place])];
    const parent = candidates
      .map((url) => places.get(withoutFragment(url)))
      .find((at) => at !== undefined && mayAsk(resources[at], resource));
    places.set(resource.url, place);
    return { ...resource, parent: place === 0 ? null : (parent ?? 0) };
  });
}

/** The URLs that an initiator names, the nearest first. */
function initiatorUrls(initiator: unknown): string[] {
  const read = initiatorSchema.safeParse(initiator);
  if (!read.success) return [];
  const { url, stack } = read.data;
  return [...(url ? [url] : []), ...stackUrls(stack, deepestStack)];
}

function stackUrls(stack: unknown, deepest: number): string[] {
  const read = stackSchema.safeParse(stack);
  if (!read.success || deepest === 0) return [];
  const { callFrames = [], parent } = read.data;
  const urls = callFrames.flatMap(({ url }) => (url ? [url] : []));
  return [...urls, ...stackUrls(parent, deepest - 1)];
}

function refererOf(entry: HarEntry | undefined): string {
  const headers = entry?.request.headers ?? [];
  return headers.find(({ name }) => name.toLowerCase() === 'referer')?.value ?? '';
}
