import * as z from 'zod/mini';
import { resourceTypes } from '../load/load.ts';

/** Content codings of a page's resources; the arm with dictionaries adds dcb. */
const pageCodings = ['identity', 'gzip', 'br', 'zstd'] as const;
export type PageCoding = (typeof pageCodings)[number];

/**
 * Cacheability of a response (RFC 9111). `fresh`: it can be reused without validation during the whole run; `stale`: it
 * must be validated first; `no-store`: it must not be stored.
 */
export const cachings = ['fresh', 'stale', 'no-store'] as const;
export type Caching = (typeof cachings)[number];

/** DevTools' names for the priority of a request. */
export const priorities = ['VeryHigh', 'High', 'Medium', 'Low', 'VeryLow'] as const;

/** One resource of a page. */
export const pageResourceSchema = z.object({
  /** Its URL in the source of the page, for display. It is never contacted. */
  url: z.string(),
  /** Last segment of its path on the origin: letters, digits, `.`, `_` and `-`. */
  name: z.string(),
  type: z.enum(resourceTypes),
  /** Media type without parameters. */
  mimeType: z.string(),
  /** After content decoding. */
  bodyBytes: z.int().check(z.minimum(1)),
  /** Size after content coding divided by the decoded size, in the source, above 0 to 1: its compressibility. */
  wireShare: z.number(),
  coding: z.enum(pageCodings),
  caching: z.enum(cachings),
  /**
   * Index of the resource that requests it, always less than its own; null: the document, which the navigation
   * requests.
   */
  parent: z.nullable(z.int()),
  /** null: unknown; the browser's default for the type. */
  priority: z.nullable(z.enum(priorities)),
});
export type PageResource = z.infer<typeof pageResourceSchema>;

/** A page and its resources, in the order of their first requests; the first is the document. */
export const pageSchema = z.object({
  /** The source of the page, for display: a file, a URL or the name of a sample. */
  source: z.string(),
  /** `recorded`: bodies from the archive, for resources that have one there. */
  bodies: z.enum(['synthetic', 'recorded']),
  resources: z.array(pageResourceSchema),
});
export type Page = z.infer<typeof pageSchema>;

/** A body as stored in an archive (HAR 1.2, content). */
export interface RecordedBody {
  text: string;
  isBase64: boolean;
}

/** A page with its recorded bodies. */
export interface ReadPage {
  page: Page;
  /** By index of the resource. */
  bodies: ReadonlyMap<number, RecordedBody>;
  /** Excluded parts of the source, with the reasons, in sentences. */
  notes: string[];
}

/** Largest body, bytes: Chromium's cache stores no entry larger than an eighth of its size. */
export const largestBodyBytes = 64 * 1024 ** 2;
/** Maximum of the sum of a page's bodies, bytes. */
const largestPageBytes = 512 * 1024 ** 2;
/** Maximum number of requests of a page. */
const mostResources = 5000;

/** Whether the older version of a resource of this type is a dictionary for the newer one. */
export function hasDictionary({ type }: Pick<PageResource, 'type'>): boolean {
  return type === 'script' || type === 'stylesheet';
}

/** Whether a resource can request another one, by their types. */
export function mayAsk(
  parent: PageResource | undefined,
  child: Pick<PageResource, 'type'>,
): boolean {
  if (parent?.type === 'stylesheet') return ['image', 'font', 'stylesheet'].includes(child.type);
  return parent?.type === 'document' || parent?.type === 'script';
}

/** All problems of a page as a whole. */
export function pageProblems(name: string, resources: readonly PageResource[]): string[] {
  if (resources.length > mostResources)
    return [`${name} has ${resources.length} resources; at most ${mostResources} are loaded`];
  const bytes = resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  if (bytes <= largestPageBytes) return [];
  return [
    `${name}: its bodies have ${bytes} bytes together; at most ${largestPageBytes} are served`,
  ];
}

/** The last segment of a URL's path, as a file name on the origin. */
export function resourceName(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '_');
  // A name of dots only may be a dot segment (WHATWG URL).
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

/** The default media type of a resource type. */
export function mimeTypeOf(type: string): string {
  return mimeTypes[type] ?? 'application/octet-stream';
}

/** True for media types that content codings compress. */
export function isText(mimeType: string): boolean {
  return /^text\/|json$|javascript$|xml$|^application\/wasm$/.test(mimeType);
}

/** The compressibility of a body of unknown wire size: that of typical text, or none. */
export function typicalWireShare(mimeType: string): number {
  return isText(mimeType) ? 0.28 : 1;
}
