import * as z from 'zod/mini';
import { resourceTypes } from '../load/load.ts';

/** Content codings in which a page's resources are delivered; the arm with dictionaries adds dcb. */
export const pageCodings = ['identity', 'gzip', 'br', 'zstd'] as const;
export type PageCoding = (typeof pageCodings)[number];

/**
 * What a cache may do with a response (RFC 9111): `fresh`: serve it without asking for as long as the run takes;
 * `stale`: serve it after asking; `no-store`: not keep it.
 */
export const cachings = ['fresh', 'stale', 'no-store'] as const;
export type Caching = (typeof cachings)[number];

/** DevTools' words for the priority of a request. */
export const priorities = ['VeryHigh', 'High', 'Medium', 'Low', 'VeryLow'] as const;
export type Priority = (typeof priorities)[number];

/** One resource of a page. */
export const pageResourceSchema = z.object({
  /** Its URL where the page was taken from; for people. It is never contacted. */
  url: z.string(),
  /** Last segment of its path on the origin: letters, digits, `.`, `_` and `-`. */
  name: z.string(),
  type: z.enum(resourceTypes),
  /** Media type without parameters. */
  mimeType: z.string(),
  /** After content decoding. */
  bodyBytes: z.int().check(z.minimum(1)),
  /** Share of the body that is left after content coding where it came from, above 0 to 1: its compressibility. */
  wireShare: z.number(),
  coding: z.enum(pageCodings),
  caching: z.enum(cachings),
  /** Place of the resource that asks for it, always before its own; null: the document, which the navigation asks for. */
  parent: z.nullable(z.int()),
  /** null: not known; the browser's own for the type. */
  priority: z.nullable(z.enum(priorities)),
});
export type PageResource = z.infer<typeof pageResourceSchema>;

/** A page and what its load asks for, in the order of the first requests; the first is the document. */
export const pageSchema = z.object({
  /** Where it was taken from, for people: a file, a URL, a sample's name. */
  source: z.string(),
  /** `recorded`: bodies as the archive keeps them, where it does. */
  bodies: z.enum(['synthetic', 'recorded']),
  resources: z.array(pageResourceSchema),
});
export type Page = z.infer<typeof pageSchema>;

/** A body as an archive keeps it (HAR 1.2, content). */
export interface RecordedBody {
  text: string;
  isBase64: boolean;
}

/** A page that was read, with the bodies that came with it. */
export interface ReadPage {
  page: Page;
  /** By place of the resource. */
  bodies: ReadonlyMap<number, RecordedBody>;
  /** What of the source is not in the page, and why, in sentences. */
  notes: string[];
}

/** Largest body, bytes: Chromium's cache keeps no entry above an eighth of itself. */
export const largestBodyBytes = 64 * 1024 ** 2;
/** All bodies of a page together, bytes. */
export const largestPageBytes = 512 * 1024 ** 2;
/** Requests of a page. */
export const mostResources = 5000;

/** Types whose older version serves as a dictionary for the newer one. */
export function hasDictionary({ type }: Pick<PageResource, 'type'>): boolean {
  return type === 'script' || type === 'stylesheet';
}

/** Types that can ask for others. */
export function mayAsk(
  parent: PageResource | undefined,
  child: Pick<PageResource, 'type'>,
): boolean {
  if (parent?.type === 'stylesheet') return ['image', 'font', 'stylesheet'].includes(child.type);
  return parent?.type === 'document' || parent?.type === 'script';
}

/** All that is wrong with a page as a whole. */
export function pageProblems(name: string, resources: readonly PageResource[]): string[] {
  if (resources.length > mostResources)
    return [`${name} has ${resources.length} resources; at most ${mostResources} are loaded`];
  const bytes = resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  if (bytes <= largestPageBytes) return [];
  return [
    `${name}: its bodies have ${bytes} bytes together; at most ${largestPageBytes} are served`,
  ];
}

/** The last segment of a URL's path, as a name of the origin's. */
export function resourceName(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '_');
  // A name of dots alone would be a step in the path (WHATWG URL, dot segments).
  return /^\.*$/.test(last) ? 'index' : last.slice(-60).replace(/^\.+$/, 'index');
}

const mimeTypes: Readonly<Record<string, string>> = {
  document: 'text/html',
  stylesheet: 'text/css',
  script: 'text/javascript',
  image: 'image/png',
  font: 'font/woff2',
  media: 'video/mp4',
  fetch: 'application/json',
  manifest: 'application/manifest+json',
  wasm: 'application/wasm',
};

/** The media type of a type of resource that does not say its own. */
export function mimeTypeOf(type: string): string {
  return mimeTypes[type] ?? 'application/octet-stream';
}

/** True for media types that content codings make smaller. */
export function isText(mimeType: string): boolean {
  return /^text\/|json$|javascript$|xml$|^application\/wasm$/.test(mimeType);
}

/** What a body of which nobody tells its size on the wire shrinks to: as the text of a usual page, or not at all. */
export function usualWireShare(mimeType: string): number {
  return isText(mimeType) ? 0.28 : 1;
}
