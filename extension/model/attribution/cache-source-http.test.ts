import {
  har,
  hidden,
  inMemory,
  network,
  onDisk,
  seen,
  timing,
  webRequest,
} from '../fixtures/cache-source.ts';
import {
  coarseThenRight,
  hiddenThenRight,
  right,
  type Row,
  type WitnessEvidence,
  testRows,
  throughout,
} from './rows.ts';

const fromCache = webRequest({ fromCache: true });
const fromNetwork = webRequest();
const notModified = webRequest({ statusCode: 304 });

/** A use without its own entry, which the other witnesses did not see. */
const sharing = (entry: { initiatorType: string; isPreload?: boolean }): WitnessEvidence => [
  { timing: null, earlierEntry: { startTime: 1, ...entry } },
  null,
  null,
  null,
];

/** Chromium 156's evidence for deliveries without a service worker, as established by experiment. */
const rows: Row[] = [
  [
    'network (br)',
    'network',
    [seen(), fromNetwork, har({ transferSize: 1010 }), network({ extraInfoStatus: 200 })],
    right,
  ],
  [
    'network 404',
    'network',
    [
      seen({ responseStatus: 404 }),
      webRequest({ statusCode: 404 }),
      har({ status: 404, transferSize: 300 }),
      network({ status: 404, extraInfoStatus: 404 }),
    ],
    right,
  ],
  [
    'empty fetch()',
    'network',
    [
      seen({ transferSize: 300, encodedBodySize: 0, decodedBodySize: 0 }),
      fromNetwork,
      har({ transferSize: 200 }),
      network({ extraInfoStatus: 200 }),
    ],
    right,
  ],
  [
    'empty script',
    'network',
    [
      seen({ initiatorType: 'script', transferSize: 300, encodedBodySize: 0 }),
      fromNetwork,
      har({ transferSize: 200 }),
      network({ extraInfoStatus: 200 }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'disk',
    'disk',
    [seen(onDisk), fromCache, har({ fromCache: 'disk' }), network({ fromDiskCache: true })],
    right,
  ],
  [
    'dcb from disk',
    'disk',
    [
      seen({ ...onDisk, encodedBodySize: 59, contentEncoding: 'dcb' }),
      fromCache,
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true }),
    ],
    right,
  ],
  [
    'memory, first from the network',
    'memory',
    [seen(inMemory), null, har({ fromCache: 'memory' }), network({ requestServedFromCache: true })],
    right,
  ],
  [
    'memory, first from disk: the old flag sticks',
    'memory',
    [
      seen(inMemory),
      null,
      har({ fromCache: 'memory' }),
      network({ requestServedFromCache: true, fromDiskCache: true }),
    ],
    right,
  ],
  [
    'memory, first from Cache Storage',
    'memory',
    [
      seen({ ...inMemory, deliveryType: 'cache-storage' }),
      null,
      har({ fromCache: 'memory' }),
      network({ fromServiceWorker: true, requestServedFromCache: true }),
    ],
    right,
  ],
  ['second use in a document', 'same-document', sharing({ initiatorType: 'img' }), right],
  [
    'use of a preload that is known as one',
    'preload',
    sharing({ initiatorType: 'link', isPreload: true }),
    right,
  ],
  [
    'second use of a style sheet',
    'same-document',
    sharing({ initiatorType: 'link', isPreload: false }),
    right,
  ],
  ['use of a preload', 'preload', sharing({ initiatorType: 'link' }), throughout('coarse')],
  ['use of an early hint', 'preload', sharing({ initiatorType: 'early-hints' }), right],
  [
    '304 to the HTTP cache',
    'revalidated/http-cache',
    [
      seen({ deliveryType: 'cache', transferSize: 300 }),
      fromCache,
      har({ status: 304, transferSize: 181 }),
      network({ extraInfoStatus: 304 }),
    ],
    right,
  ],
  [
    '304 to the memory cache',
    'revalidated/memory-cache',
    [
      seen({ initiatorType: 'script', transferSize: 300, encodedBodySize: 0 }),
      notModified,
      har({ status: 304 }),
      network({ status: 304, extraInfoStatus: 304 }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    '304 to the memory cache, body read',
    'revalidated/memory-cache',
    [
      {
        ...seen({ initiatorType: 'script', transferSize: 300, encodedBodySize: 0 }),
        bodyBytes: 5031,
      },
      notModified,
      har({ status: 304 }),
      network({ status: 304, extraInfoStatus: 304 }),
    ],
    right,
  ],
  [
    '304 to the page itself',
    'network/not-modified',
    [
      seen({ responseStatus: 304, transferSize: 300, encodedBodySize: 0 }),
      notModified,
      har({ status: 304 }),
      network({ status: 304, extraInfoStatus: 304 }),
    ],
    right,
  ],
  [
    'stale-while-revalidate',
    'stale-while-revalidate',
    [
      seen(onDisk),
      webRequest({ fromCache: true, requests: 2 }),
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true, hasUnfinishedTwin: true }),
    ],
    coarseThenRight,
  ],
  [
    'link prefetch',
    'prefetch/link',
    [
      seen(onDisk),
      fromCache,
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true, fromPrefetchCache: true }),
    ],
    coarseThenRight,
  ],
  [
    'speculation rules',
    'prefetch/speculation',
    [
      seen({ deliveryType: 'navigational-prefetch' }),
      fromNetwork,
      har({ transferSize: 1004 }),
      network({ fromPrefetchCache: true, isNavigation: true }),
    ],
    right,
  ],
  [
    'early hints',
    'early-hints',
    [
      seen({ ...onDisk, initiatorType: 'early-hints' }),
      fromCache,
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true, fromEarlyHints: true }),
    ],
    right,
  ],
  [
    'redirect over the network, target from disk',
    'disk',
    [
      seen(onDisk),
      fromCache,
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true, extraInfoStatus: 302 }),
    ],
    right,
  ],
  [
    'hidden, network',
    'network',
    [
      hidden({ duration: 4 }),
      fromNetwork,
      har({ transferSize: 1010 }),
      network({ extraInfoStatus: 200 }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'hidden, memory',
    'memory',
    [
      hidden({ initiatorType: 'script', duration: 0 }),
      null,
      har({ fromCache: 'memory' }),
      network({ requestServedFromCache: true }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'hidden, disk',
    'disk',
    [
      hidden({ duration: 11 }),
      fromCache,
      har({ fromCache: 'disk' }),
      network({ fromDiskCache: true }),
    ],
    hiddenThenRight,
  ],
  [
    'back/forward cache',
    'bfcache',
    [
      { timing: timing(), isBackForwardRestore: true },
      null,
      null,
      network({ isBackForwardRestore: true }),
    ],
    right,
  ],
];

testRows(rows);
