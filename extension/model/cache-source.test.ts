import { expect, test } from 'vitest';
import { attribute, cacheSources } from './cache-source.ts';
import type { NetworkEvidence, PageEvidence } from './evidence.ts';
import type { ResourceTiming } from './resource-timing.ts';

/** Resource Timing as the truth table abbreviates it; the default is a Brotli response from the network. */
function timing(row: Partial<ResourceTiming> = {}): ResourceTiming {
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

function network(row: Partial<NetworkEvidence> = {}): NetworkEvidence {
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

const onDisk = {
  deliveryType: 'cache',
  transferSize: 0,
  firstInterimResponseStart: 102,
  finalResponseHeadersStart: 0,
};
const inMemory = {
  deliveryType: 'cache',
  transferSize: 0,
  duration: 0,
  finalResponseHeadersStart: 0,
  responseStart: 100,
};

/** Situation, what the page sees, what the Network domain tells, and the source by each alone and by both. */
const truthTable: [
  situation: string,
  page: PageEvidence,
  network: NetworkEvidence,
  sources: { page: string; network: string; both: string },
][] = [
  [
    'network 200 (br)',
    { timing: timing() },
    network({ extraInfoStatus: 200, encodedDataLength: 1010 }),
    { page: 'network', network: 'network', both: 'network' },
  ],
  [
    'network 404',
    { timing: timing({ responseStatus: 404 }) },
    network({ status: 404, extraInfoStatus: 404, encodedDataLength: 300 }),
    { page: 'network', network: 'network', both: 'network' },
  ],
  [
    'HTTP disk cache',
    { timing: timing(onDisk) },
    network({ fromDiskCache: true }),
    { page: 'disk', network: 'disk', both: 'disk' },
  ],
  [
    'dcb from disk',
    {
      timing: timing({
        ...onDisk,
        encodedBodySize: 59,
        decodedBodySize: 60_045,
        contentEncoding: 'dcb',
      }),
    },
    network({ fromDiskCache: true }),
    { page: 'disk', network: 'disk', both: 'disk' },
  ],
  [
    'memory cache, first from the network',
    { timing: timing(inMemory) },
    network({ requestServedFromCache: true }),
    { page: 'memory', network: 'memory', both: 'memory' },
  ],
  [
    'memory cache, first from disk (the old flag sticks)',
    { timing: timing(inMemory) },
    network({ requestServedFromCache: true, fromDiskCache: true }),
    { page: 'memory', network: 'memory', both: 'memory' },
  ],
  [
    'second use inside one document',
    { timing: null },
    network({ requestServedFromCache: true }),
    { page: 'unknown', network: 'memory', both: 'memory' },
  ],
  [
    '304 by the HTTP cache',
    { timing: timing({ deliveryType: 'cache', transferSize: 300 }) },
    network({ extraInfoStatus: 304, encodedDataLength: 181 }),
    { page: 'revalidated', network: 'revalidated', both: 'revalidated' },
  ],
  [
    '304 by the memory cache',
    {
      timing: timing({ transferSize: 300, encodedBodySize: 0, decodedBodySize: 0 }),
      bodyBytes: 5031,
    },
    network({ status: 304, extraInfoStatus: 304, encodedDataLength: 181 }),
    { page: 'revalidated', network: 'revalidated', both: 'revalidated' },
  ],
  [
    '304 by the memory cache, body not read',
    { timing: timing({ transferSize: 300, encodedBodySize: 0, decodedBodySize: 0 }) },
    network({ status: 304, extraInfoStatus: 304, encodedDataLength: 181 }),
    { page: 'unknown', network: 'revalidated', both: 'revalidated' },
  ],
  [
    'empty 200 from the network',
    { timing: timing({ transferSize: 300, encodedBodySize: 0, decodedBodySize: 0 }), bodyBytes: 0 },
    network({ extraInfoStatus: 200, encodedDataLength: 200 }),
    { page: 'network', network: 'network', both: 'network' },
  ],
  [
    'link rel=prefetch, then use: to the page a disk hit',
    { timing: timing(onDisk) },
    network({ fromDiskCache: true, fromPrefetchCache: true }),
    { page: 'disk', network: 'prefetch', both: 'prefetch' },
  ],
  [
    'prefetched with no-cache, then used',
    { timing: timing({ deliveryType: 'cache', transferSize: 300 }) },
    network({ extraInfoStatus: 304, encodedDataLength: 181 }),
    { page: 'revalidated', network: 'revalidated', both: 'revalidated' },
  ],
  [
    'speculation-rules prefetch',
    { timing: timing({ deliveryType: 'navigational-prefetch' }) },
    network({ fromPrefetchCache: true, encodedDataLength: 1004 }),
    { page: 'prefetch', network: 'prefetch', both: 'prefetch' },
  ],
  [
    'early hints',
    { timing: timing({ ...onDisk, initiatorType: 'early-hints' }) },
    network({ fromDiskCache: true, fromEarlyHints: true }),
    { page: 'unknown', network: 'unknown', both: 'unknown' },
  ],
  [
    'cross-origin no-cors without TAO, network',
    {
      timing: timing({
        transferSize: 0,
        encodedBodySize: 0,
        decodedBodySize: 0,
        responseStart: 0,
        responseStatus: 0,
      }),
    },
    network({ extraInfoStatus: 200, encodedDataLength: 1010 }),
    { page: 'unknown', network: 'network', both: 'network' },
  ],
  [
    'CORS without TAO, disk',
    {
      timing: timing({ transferSize: 0, encodedBodySize: 0, decodedBodySize: 0, responseStart: 0 }),
    },
    network({ fromDiskCache: true }),
    { page: 'unknown', network: 'disk', both: 'disk' },
  ],
  [
    'service worker passes the network through',
    { timing: timing({ deliveryType: 'cache', transferSize: 0, workerStart: 101 }) },
    network({ fromServiceWorker: true }),
    { page: 'unknown', network: 'unknown', both: 'unknown' },
  ],
  [
    'service worker, CacheStorage',
    { timing: timing({ deliveryType: 'cache-storage', transferSize: 0 }), hasServiceWorker: true },
    network({ fromServiceWorker: true, fromDiskCache: true }),
    { page: 'unknown', network: 'unknown', both: 'unknown' },
  ],
  [
    'service worker route race, network won',
    { timing: timing({ deliveryType: 'cache', transferSize: 0 }) },
    network({ fromServiceWorker: true, extraInfoStatus: 200 }),
    { page: 'unknown', network: 'unknown', both: 'unknown' },
  ],
];

test.each(truthTable)('%s', (_situation, page, network, sources) => {
  expect(attribute({ page }).source).toBe(sources.page);
  expect(attribute({ debugger: network }).source).toBe(sources.network);
  expect(attribute({ page, debugger: network }).source).toBe(sources.both);
});

test('witnesses that disagree give unknown, with both named', () => {
  const verdict = attribute({
    page: { timing: timing(onDisk) },
    debugger: network({ extraInfoStatus: 200 }),
  });
  expect(verdict).toMatchObject({ source: 'unknown', confidence: 'unknown' });
  expect(verdict.reasons.join()).toContain('disk');
  expect(verdict.reasons.join()).toContain('network');
});

test.each([
  ['deliveryType', { deliveryType: undefined }],
  ['transferSize', { ...onDisk, transferSize: undefined }],
  ['firstInterimResponseStart', { ...onDisk, firstInterimResponseStart: undefined }],
])('a browser without %s gets unknown and the name of what is missing', (field, row) => {
  const verdict = attribute({ page: { timing: { ...timing(), ...row } } });
  expect(verdict.source).toBe('unknown');
  expect(verdict.reasons.join()).toContain(field);
});

test('no evidence is unknown, and the page alone is never certain of a cache', () => {
  expect(attribute({})).toMatchObject({ source: 'unknown', confidence: 'unknown' });
  expect(attribute({ page: { timing: timing(onDisk) } }).confidence).toBe('likely');
  expect(attribute({ debugger: network({ fromDiskCache: true }) }).confidence).toBe('certain');
});

test('every verdict names a listed source and at least one reason', () => {
  for (const [, page, network] of truthTable) {
    const verdict = attribute({ page, debugger: network });
    expect(cacheSources).toContain(verdict.source);
    expect(verdict.reasons.length).toBeGreaterThan(0);
  }
});
