import type { Evidence, NetworkEvidence, PageEvidence } from './evidence.ts';
import type { ResourceTiming } from './resource-timing.ts';
import type { Attribution } from './sample.ts';

/** Where a response can come from, as far as the evidence here can tell apart. */
export const cacheSources = [
  'network',
  /** The renderer's memory cache. */
  'memory',
  /** The HTTP cache on disk, without a request. */
  'disk',
  /** A stored response that the origin confirmed with 304. */
  'revalidated',
  'prefetch',
  'unknown',
] as const;
export type CacheSource = (typeof cacheSources)[number];

/**
 * Names the source of a response, or says `unknown` with the reason: it never guesses. Both depths of evidence are read
 * on their own; where they name different sources the result is unknown and names both. Rules: Chromium 156, found by
 * experiment (ARCHITECTURE.md).
 */
export function attribute(evidence: Evidence): Attribution {
  const page = evidence.page && fromPage(evidence.page);
  const network = evidence.debugger && fromNetwork(evidence.debugger);
  if (!page || !network) return page ?? network ?? unknown('no evidence was collected');
  if (network.source === 'unknown') return joined(network, page);
  if (page.source === 'unknown' || agree(page, network)) return joined(network, page);
  return unknown(
    `the page's evidence says ${page.source}, the network's says ${network.source}`,
    ...page.reasons,
    ...network.reasons,
  );
}

/** To the page an entry that a link prefetched is an ordinary disk hit, so the two do not contradict each other. */
function agree(page: Attribution, network: Attribution): boolean {
  if (page.source === network.source) return true;
  return page.source === 'disk' && network.source === 'prefetch' && network.detail === 'link';
}

function joined(leading: Attribution, other: Attribution): Attribution {
  return { ...leading, reasons: [...leading.reasons, ...other.reasons] };
}

function unknown(...reasons: string[]): Attribution {
  return { source: 'unknown', confidence: 'unknown', reasons };
}

function named(
  source: Exclude<CacheSource, 'unknown'>,
  confidence: 'certain' | 'likely',
  reason: string,
  detail?: string,
): Attribution {
  return { source, confidence, reasons: [reason], ...(detail === undefined ? {} : { detail }) };
}

/** Resource Timing alone: a heuristic, so at most `likely`. Holds for same-origin reads without a service worker. */
function fromPage({ timing, hasServiceWorker, bodyBytes }: PageEvidence): Attribution {
  if (!timing) return unknown('the page has no Resource Timing entry for the read');
  if (hasServiceWorker || (timing.workerStart ?? 0) > 0) {
    return unknown(
      'a service worker took part, and Resource Timing shows its answers as cache hits',
    );
  }
  if (timing.initiatorType === 'early-hints') {
    return unknown('initiatorType is early-hints, which is not told apart yet');
  }
  switch (timing.deliveryType) {
    case undefined:
      return unknown('the browser does not report deliveryType');
    case 'cache':
      return fromCacheDelivery(timing);
    case 'navigational-prefetch':
      return named('prefetch', 'certain', 'deliveryType is navigational-prefetch', 'navigation');
    case '':
      return fromPlainDelivery(timing, bodyBytes);
    default:
      return unknown(`deliveryType is "${timing.deliveryType}", which has no rule`);
  }
}

function fromCacheDelivery(timing: ResourceTiming): Attribution {
  const { transferSize, duration, firstInterimResponseStart: interim } = timing;
  const { finalResponseHeadersStart: headers, responseStart } = timing;
  if (transferSize === 300) {
    return named(
      'revalidated',
      'likely',
      'deliveryType is cache and transferSize 300: a 304',
      'http-cache',
    );
  }
  if (transferSize !== 0) {
    return unknown(`deliveryType is cache, but transferSize is ${transferSize ?? 'absent'}`);
  }
  if (interim === undefined) {
    return unknown('firstInterimResponseStart is absent: memory and disk cannot be told apart');
  }
  if (duration === 0 && interim === 0) {
    return named('memory', 'likely', 'deliveryType is cache and the read took no time');
  }
  if (interim > 0 && interim === responseStart && headers === 0) {
    return named(
      'disk',
      'likely',
      'deliveryType is cache, nothing was transferred, and no response headers came over the network',
    );
  }
  return unknown('deliveryType is cache, but the times fit neither a memory nor a disk hit');
}

function fromPlainDelivery(timing: ResourceTiming, bodyBytes: number | undefined): Attribution {
  const { transferSize, encodedBodySize, responseStart } = timing;
  if (!transferSize) {
    return unknown(
      responseStart
        ? 'transferSize is 0 although deliveryType names no cache'
        : 'sizes and times are hidden: a cross-origin response without Timing-Allow-Origin',
    );
  }
  if (transferSize === 300 && encodedBodySize === 0 && bodyBytes !== 0) {
    return bodyBytes === undefined
      ? unknown('transferSize is 300 with no body: an empty response or a 304 for the memory cache')
      : named(
          'revalidated',
          'likely',
          'only headers were transferred, yet a body came: a 304',
          'memory-cache',
        );
  }
  return named('network', 'likely', 'deliveryType names no cache and bytes were transferred');
}

/** The Network domain, in the order in which its signals outrank each other. */
function fromNetwork(evidence: NetworkEvidence): Attribution {
  if (evidence.requestServedFromCache) {
    return named('memory', 'certain', 'DevTools reported requestServedFromCache');
  }
  if (evidence.fromServiceWorker) {
    return unknown(
      'DevTools reported fromServiceWorker; where the worker took it from was not observed',
    );
  }
  if (evidence.fromEarlyHints) {
    return unknown('DevTools reported fromEarlyHints, which is not told apart yet');
  }
  if (evidence.fromPrefetchCache) {
    const detail = evidence.fromDiskCache ? 'link' : 'navigation';
    return named('prefetch', 'certain', 'DevTools reported fromPrefetchCache', detail);
  }
  if (evidence.fromDiskCache) return named('disk', 'certain', 'DevTools reported fromDiskCache');
  if (evidence.extraInfoStatus === 304) {
    const detail = evidence.status === 304 ? 'memory-cache' : 'http-cache';
    return named('revalidated', 'certain', 'the origin answered 304', detail);
  }
  if (evidence.extraInfoStatus !== null) {
    return named('network', 'certain', `the origin answered ${evidence.extraInfoStatus}`);
  }
  return unknown('DevTools reported neither a cache nor headers from the network');
}
