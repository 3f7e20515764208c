/** Evidence for tests, in the abbreviations of the truth table. The defaults are a Brotli response from the network. */
import type { HarEvidence, NetworkEvidence, PageEvidence, WebRequestEvidence } from './evidence.ts';
import type { ResourceTiming } from './resource-timing.ts';

export function timing(row: Partial<ResourceTiming> = {}): ResourceTiming {
  return {
    deliveryType: '',
    initiatorType: 'fetch',
    transferSize: 1004,
    encodedBodySize: 704,
    decodedBodySize: 5031,
    responseStatus: 200,
    startTime: 100,
    duration: 3,
    workerStart: 0,
    firstInterimResponseStart: 0,
    finalResponseHeadersStart: 102,
    responseStart: 102,
    ...row,
  };
}

/** What a page without service worker saw; with one where `workerStart` says so. */
export function seen(row: Partial<ResourceTiming> = {}): PageEvidence {
  return { timing: timing(row), hasServiceWorker: (row.workerStart ?? 0) > 0 };
}

export const onDisk = {
  deliveryType: 'cache',
  transferSize: 0,
  firstInterimResponseStart: 102,
  finalResponseHeadersStart: 0,
};

export const inMemory = {
  deliveryType: 'cache',
  transferSize: 0,
  duration: 0,
  finalResponseHeadersStart: 0,
  responseStart: 100,
};

/** A fetch handler answered: to Resource Timing the same as a disk hit. */
export const throughWorker = { ...onDisk, workerStart: 101 };

/** Cross-origin without Timing-Allow-Origin. */
export function hidden(row: Partial<ResourceTiming> = {}): PageEvidence {
  return seen({
    transferSize: 0,
    encodedBodySize: 0,
    decodedBodySize: 0,
    responseStatus: 0,
    finalResponseHeadersStart: 0,
    responseStart: 0,
    ...row,
  });
}

export type WebRequest = WebRequestEvidence;

export function webRequest(row: Partial<WebRequest> = {}): WebRequest {
  return { fromCache: false, statusCode: 200, requests: 1, ...row };
}

export function har(row: Partial<HarEvidence> = {}): HarEvidence {
  return { status: 200, transferSize: null, fetchedViaServiceWorker: false, ...row };
}

export function network(row: Partial<NetworkEvidence> = {}): NetworkEvidence {
  return {
    requestServedFromCache: false,
    fromDiskCache: false,
    fromPrefetchCache: false,
    fromServiceWorker: false,
    fromEarlyHints: false,
    status: 200,
    extraInfoStatus: null,
    encodedDataLength: 0,
    ...row,
  };
}
