/**
 * Every way in which a resource can reach a page, as `source` or `source/detail`, as far as the evidence of some depth
 * can distinguish them (Chromium 156, found by experiment).
 */
export const answers = [
  'network',
  /** The page itself sent a conditional request and got 304. */
  'network/not-modified',
  /** The renderer's memory cache. */
  'memory',
  /** The HTTP cache on disk, without a request. */
  'disk',
  /** A stored response that the origin confirmed with 304. */
  'revalidated/http-cache',
  'revalidated/memory-cache',
  /** A stale stored response, while the browser revalidates it (RFC 5861 section 3). */
  'stale-while-revalidate',
  /** `<link rel=prefetch>` put it into the HTTP cache. */
  'prefetch/link',
  /** Speculation rules fetched the document over the network, shortly before the navigation. */
  'prefetch/speculation',
  /** A 103 response (RFC 8297) put it into the HTTP cache, or found it there, before the document requested it. */
  'early-hints',
  /** The whole document was restored from the back/forward cache. */
  'bfcache',
  /** The fetch handler of a service worker answered with the response of its own fetch ... */
  'service-worker/network',
  'service-worker/http-cache',
  'service-worker/revalidated',
  /** ... or from Cache Storage (also through a static route to the cache), or with a response that it constructed. */
  'service-worker/cache-storage',
  'service-worker/synthetic',
  /** The document had preloaded it; this use made no request of its own. */
  'preload',
  /** The document had used it before; this use made no request of its own. */
  'same-document',
  /** Contained in the URL itself. */
  'data',
  'blob',
  /** A part of the body was in the HTTP cache, and the rest came over the network: a range, a resumed download. */
  'mixed',
  /** Never sent: a policy of the page or the browser blocks it. */
  'blocked',
  /** Sent, but the page got no response or an incomplete one. */
  'failed',
] as const;
export type Answer = (typeof answers)[number];

type SourceOf<Name> = Name extends `${infer Source}/${string}` ? Source : Name;

/** Where a response came from: the first half of an answer, or unknown. */
export type CacheSource = SourceOf<Answer> | 'unknown';
export const cacheSources: readonly CacheSource[] = [
  ...new Set(answers.map((answer) => partsOf(answer).source)),
  'unknown',
];

/** A less detailed name that is also true of an answer: where the response was stored, or fetched from for this use. */
const coarser: Partial<Record<Answer, CacheSource>> = {
  'prefetch/link': 'disk',
  'prefetch/speculation': 'network',
  'stale-while-revalidate': 'disk',
  'early-hints': 'disk',
  preload: 'memory',
  'same-document': 'memory',
};

/** The source and the detail of an answer. */
export function partsOf(answer: string): { source: CacheSource; detail?: string } {
  const [source, detail] = answer.split('/') as [CacheSource, string?];
  return detail === undefined ? { source } : { source, detail };
}

/** The name of a verdict: its source, or `source/detail`. */
export function verdictName({
  source,
  detail,
}: {
  source: string;
  detail?: string | undefined;
}): string {
  return detail === undefined ? source : `${source}/${detail}`;
}

/** All names that are true of an answer, most detailed first: the answer, its source, its coarser source. */
export function namesOf(answer: Answer): string[] {
  const further = coarser[answer];
  return [answer, partsOf(answer).source, ...(further === undefined ? [] : [further])];
}

/** The most detailed name that is true of all candidates; undefined when nothing is. */
export function commonName(candidates: readonly Answer[]): string | undefined {
  const [first, ...others] = candidates.map(namesOf);
  return first?.find((name) => others.every((names) => names.includes(name)));
}
