import { har, network, onDisk, seen, throughWorker, webRequest } from '../fixtures/cache-source.ts';
import { right, type Row, testRows } from './rows.ts';

const fromCache = webRequest({ fromCache: true });
const fromNetwork = webRequest();
const viaWorker = { fromServiceWorker: true } as const;
const race = {
  routerMatched: 'race-network-and-fetch-handler',
  routerActual: 'network',
} as const;
const raceTiming = {
  workerMatchedSourceType: 'race-network-and-fetch-handler',
  workerFinalSourceType: 'network',
} as const;

/** Chromium 156's evidence for deliveries with a service worker, as established by experiment. */
const rows: Row[] = [
  [
    'worker: network',
    'service-worker/network',
    [
      seen(throughWorker),
      null,
      har({ fetchedViaServiceWorker: true, serviceWorkerResponseSource: 'network' }),
      network({
        ...viaWorker,
        serviceWorkerResponseSource: 'network',
        serviceWorkerFetchStatus: 200,
      }),
    ],
    ['unknown', 'coarse', 'coarse', 'right'],
  ],
  [
    'worker: HTTP cache',
    'service-worker/http-cache',
    [
      seen(throughWorker),
      null,
      har({
        fromCache: 'disk',
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'http-cache',
      }),
      network({ ...viaWorker, fromDiskCache: true, serviceWorkerResponseSource: 'http-cache' }),
    ],
    ['unknown', 'coarse', 'right', 'right'],
  ],
  [
    'worker: 304',
    'service-worker/revalidated',
    [
      seen(throughWorker),
      null,
      har({
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'network',
        serviceWorkerFetchStatus: 304,
      }),
      network({
        ...viaWorker,
        serviceWorkerResponseSource: 'network',
        serviceWorkerFetchStatus: 304,
      }),
    ],
    ['unknown', 'coarse', 'right', 'right'],
  ],
  [
    'worker: network, its own fetch not seen',
    'service-worker/revalidated',
    [
      seen(throughWorker),
      null,
      null,
      network({ ...viaWorker, serviceWorkerResponseSource: 'network' }),
    ],
    ['unknown', 'coarse', 'coarse', 'coarse'],
  ],
  [
    'worker: Cache Storage',
    'service-worker/cache-storage',
    [
      seen({ ...throughWorker, deliveryType: 'cache-storage' }),
      null,
      har({
        fromCache: 'disk',
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'cache-storage',
      }),
      network({ ...viaWorker, fromDiskCache: true, serviceWorkerResponseSource: 'cache-storage' }),
    ],
    right,
  ],
  [
    'worker: its own response',
    'service-worker/synthetic',
    [
      seen(throughWorker),
      null,
      har({ fetchedViaServiceWorker: true, serviceWorkerResponseSource: 'fallback-code' }),
      network({ ...viaWorker, serviceWorkerResponseSource: 'fallback-code' }),
    ],
    ['unknown', 'coarse', 'right', 'right'],
  ],
  [
    'worker: document from the network',
    'service-worker/network',
    [
      seen({
        initiatorType: 'navigation',
        workerStart: 2,
        firstInterimResponseStart: 5,
        finalResponseHeadersStart: 0,
        responseStart: 5,
      }),
      null,
      har({
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'network',
        serviceWorkerFetchStatus: 200,
      }),
      network({
        ...viaWorker,
        serviceWorkerResponseSource: 'network',
        serviceWorkerFetchStatus: 200,
      }),
    ],
    ['coarse', 'coarse', 'right', 'right'],
  ],
  [
    'worker lets pass, disk',
    'disk',
    [
      seen(throughWorker),
      fromCache,
      har({ fromCache: 'disk', routerActual: 'network' }),
      network({ fromDiskCache: true, routerActual: 'network' }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'worker lets pass, network',
    'network',
    [
      seen({ workerStart: 101 }),
      fromNetwork,
      har({ transferSize: 1010, routerActual: 'network' }),
      network({ extraInfoStatus: 200, routerActual: 'network' }),
    ],
    right,
  ],
  [
    'route: network',
    'network',
    [
      seen({
        workerStart: 101,
        workerMatchedSourceType: 'network',
        workerFinalSourceType: 'network',
      }),
      fromNetwork,
      har({ transferSize: 1010 }),
      network({ extraInfoStatus: 200 }),
    ],
    right,
  ],
  [
    'route: race, network won',
    'network',
    [
      seen({ ...onDisk, ...raceTiming, finalResponseHeadersStart: 101 }),
      fromNetwork,
      har({
        ...race,
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'fallback-code',
        transferSize: 0,
      }),
      network({
        ...viaWorker,
        ...race,
        serviceWorkerResponseSource: 'fallback-code',
        extraInfoStatus: 200,
      }),
    ],
    right,
  ],
  [
    'route: race, HTTP cache won',
    'disk',
    [
      seen({ ...onDisk, ...raceTiming }),
      fromCache,
      har({
        ...race,
        fromCache: 'disk',
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'fallback-code',
      }),
      network({
        ...viaWorker,
        ...race,
        fromDiskCache: true,
        serviceWorkerResponseSource: 'fallback-code',
      }),
    ],
    right,
  ],
  [
    'route: race, worker won',
    'service-worker/synthetic',
    [
      seen({ ...throughWorker, workerFinalSourceType: 'fetch-event' }),
      null,
      har({
        ...race,
        routerActual: 'fetch-event',
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'fallback-code',
      }),
      network({
        ...viaWorker,
        ...race,
        routerActual: 'fetch-event',
        serviceWorkerResponseSource: 'fallback-code',
      }),
    ],
    ['coarse', 'coarse', 'right', 'right'],
  ],
];

testRows(rows);
