import { expect, test } from 'vitest';
import { onDisk } from '../fixtures/cache-source.ts';
import {
  began,
  devtools,
  join,
  network,
  page,
  watch,
  webRequest,
} from '../fixtures/observed-load.ts';
import type { Observation } from './observation.ts';

test('the request that revalidates a stale response is not a use of its own', () => {
  const { resources } = join(
    [
      page('a', 100, onDisk),
      network('a', 101, { fromDiskCache: true }),
      { ...network('a', 103, { extraInfoStatus: 304, encodedDataLength: null }), endedAtMs: null },
      webRequest('a', 101, true),
      webRequest('a', 103, true),
    ],
    [watch('page'), watch('webRequest'), watch('debugger')],
  );
  expect(resources).toHaveLength(1);
  expect(resources[0]?.evidence.webRequest?.requests).toBe(2);
  expect(resources[0]?.evidence.debugger?.hasUnfinishedTwin).toBe(true);
});

test('on a busy machine, the revalidation begins after the slow use has ended', () => {
  const slow = {
    ...network('a', 101, { fromDiskCache: true }),
    endedAtMs: began + 880,
  };
  const renewal = {
    ...network('a', 1005, { extraInfoStatus: 304, encodedDataLength: null }),
    endedAtMs: null,
  };
  const { resources } = join([page('a', 100, onDisk), slow, renewal]);
  expect(resources).toHaveLength(1);
  expect(resources[0]?.evidence.debugger?.hasUnfinishedTwin).toBe(true);
});

test('a revalidation that a busy browser puts off belongs to its use where the headers allow it', () => {
  const responseHeaders: [string, string][] = [['cache-control', 'stale-while-revalidate=600']];
  const watches = [watch('page'), watch('webRequest')];
  const requests = [webRequest('a', 101, true), webRequest('a', 9000, true)];
  const allowed = requests.map((each) => ({ ...each, facts: { responseHeaders } }));
  const { resources } = join([page('a', 100, onDisk), ...allowed], watches);
  expect(resources.map(({ evidence }) => evidence.webRequest?.requests)).toEqual([2]);
  expect(join([page('a', 100, onDisk), ...requests], watches).resources).toHaveLength(2);
  const again = join([page('a', 100, onDisk), page('a', 9000, onDisk), ...allowed], watches);
  expect(again.resources.map(({ evidence }) => evidence.webRequest?.requests)).toEqual([1, 1]);
});

test('a use is revalidated once: what a worker reads of the same URL after it are uses of their own', () => {
  const responseHeaders: [string, string][] = [['cache-control', 'stale-while-revalidate=600']];
  const requests = [101, 103, 1000, 2000].map((startMs) => ({
    ...webRequest('a', startMs, true),
    facts: { responseHeaders },
  }));
  const { resources } = join(
    [page('a', 100, onDisk), ...requests],
    [watch('page'), watch('webRequest')],
  );
  const seen = resources.map(({ startMs, evidence: { page: ofPage, webRequest: asked } }) => ({
    startMs,
    isOfPage: Boolean(ofPage),
    requests: asked?.requests,
  }));
  expect(seen).toEqual([
    { startMs: 100, isOfPage: true, requests: 2 },
    { startMs: 1000, isOfPage: false, requests: 1 },
    { startMs: 2000, isOfPage: false, requests: 1 },
  ]);
});

test.each([304, 200])(
  'a stale use and its revalidation (%i) are one row, also when the debugger has stopped watching',
  (extraInfoStatus) => {
    const twin = network('a', 103, { extraInfoStatus, encodedDataLength: null });
    const seen = [
      page('a', 100, onDisk),
      network('a', 101, { fromDiskCache: true }),
      { ...twin, endedAtMs: null },
    ];
    const rows = (toMs: number | null) =>
      join(seen, [watch('page'), watch('debugger', -100, toMs)]).resources;
    expect(rows(null)).toMatchObject([{ evidence: { debugger: { hasUnfinishedTwin: true } } }]);
    expect(rows(5000)).toEqual(rows(null));
  },
);

test('a request that the page waits for is no revalidation, although the debugger never saw it end', () => {
  const responseHeaders: [string, string][] = [['cache-control', 'stale-while-revalidate=600']];
  const { resources } = join(
    [
      page('a', 100, onDisk),
      page('a', 2000, onDisk),
      { ...network('a', 101, { fromDiskCache: true }), facts: { responseHeaders } },
      { ...network('a', 2001, { encodedDataLength: null }), endedAtMs: null },
    ],
    [watch('page'), watch('debugger', -100, 2500)],
  );
  expect(resources.map(({ evidence }) => evidence.debugger?.hasUnfinishedTwin)).toEqual([
    false,
    undefined,
  ]);
});

test('a disk hit without a revalidation is known to have none', () => {
  const { resources } = join([page('a', 100, onDisk), network('a', 101, { fromDiskCache: true })]);
  expect(resources[0]?.evidence.debugger?.hasUnfinishedTwin).toBe(false);
});

test("a service worker's own fetch is a separate use, and shows the source of its response", () => {
  const own: Observation = {
    ...network('a', 104, { extraInfoStatus: 304 }),
    context: 'service-worker',
  };
  const { resources } = join(
    [
      page('a', 100, onDisk),
      network('a', 101, { fromServiceWorker: true, serviceWorkerResponseSource: 'network' }),
      own,
    ],
    [watch('page'), watch('debugger')],
  );
  expect(resources.map(({ context }) => context)).toEqual(['document', 'service-worker']);
  expect(resources[0]?.evidence.debugger?.serviceWorkerFetchStatus).toBe(304);
});

const workerFetches = [
  ['304', { status: 304 }, 304],
  ['200 with a body', { status: 200, transferSize: 5600 }, 200],
  [
    '200 without a body, which may be a 304',
    { status: 200, transferSize: 154, isShort: true },
    null,
  ],
] as const;

test.each(workerFetches)(
  "DevTools' entry of a service worker's own fetch, %s, does not replace the page's request",
  (_name, own, serviceWorkerFetchStatus) => {
    const { resources } = join(
      [
        page('a', 100, onDisk),
        devtools('a', 100.5, {
          fetchedViaServiceWorker: true,
          serviceWorkerResponseSource: 'network',
          transferSize: 0,
        }),
        devtools('a', 104, own),
      ],
      [watch('page'), watch('devtools')],
    );
    expect(resources.map(({ context }) => context)).toEqual(['document', 'service-worker']);
    expect(resources[0]?.evidence.devtools).toMatchObject({
      fetchedViaServiceWorker: true,
      serviceWorkerFetchStatus,
    });
  },
);

test.each([
  ['at once', [101]],
  ['after its answer', [1500]],
  ['of two uses', [101, 301]],
])(
  'what a worker that answers from its store asks for itself, %s, is no use of the page',
  (_when, fetches) => {
    const stored = {
      fetchedViaServiceWorker: true,
      serviceWorkerResponseSource: 'cache-storage',
      transferSize: 0,
    };
    const uses = fetches.length === 2 ? [100, 300] : [100];
    const { resources } = join(
      [
        ...uses.map((atMs) => page('a', atMs, { deliveryType: 'cache-storage' })),
        ...uses.map((atMs) => devtools('a', atMs - 0.5, stored)),
        ...fetches.map((atMs) => devtools('a', atMs, { transferSize: 5600 })),
      ],
      [watch('page'), watch('devtools')],
    );
    const rows = Map.groupBy(resources, ({ context }) => context);
    expect(rows.get('document')).toHaveLength(uses.length);
    expect(rows.get('service-worker')).toHaveLength(fetches.length);
    expect(resources).toHaveLength(uses.length + fetches.length);
    expect(resources.flatMap(({ unpaired = [] }) => unpaired)).toEqual([]);
  },
);

test('a frame that no worker controls uses the URL too: its request is not taken for the worker’s', () => {
  const stored = {
    fetchedViaServiceWorker: true,
    serviceWorkerResponseSource: 'cache-storage',
    transferSize: 0,
  };
  const { resources } = join(
    [page('a', 100), page('a', 110), devtools('a', 99.5, stored), devtools('a', 109.5)],
    [watch('page'), watch('devtools')],
  );
  expect(resources.map(({ context }) => context)).toEqual(['document', 'document']);
});

test('a failed request that ended, as the page reports it, before it was sent is one use', () => {
  const failed = { startTime: 0, duration: 1780, requestStart: 2314, encodedBodySize: 0 };
  const use = { ...page('font', 0, failed), endedAtMs: began + 1780 };
  const request = {
    ...network('font', 2300, { errorText: 'net::ERR_FAILED' }),
    endedAtMs: began + 2400,
  };
  expect(join([use, request], [watch('page'), watch('debugger')]).resources).toHaveLength(1);
});

test('a document that was fetched ahead is one use, although its request had ended before', () => {
  const timing = {
    initiatorType: 'navigation',
    encodedBodySize: 2164,
    responseEnd: 24.6,
    startTime: 0,
  };
  const use = { ...page('page', 0, timing), facts: { initiatorType: 'navigation' } };
  const request = { ...network('moved', 19, { fromPrefetchCache: true }), endedAtMs: began - 8 };
  const { resources } = join(
    [use, { ...request, finalUrl: use.url }],
    [watch('page'), watch('debugger')],
  );
  expect(resources).toHaveLength(1);
});

test('an aborted second read is not a revalidation', () => {
  const { resources } = join([
    page('a', 100, onDisk),
    network('a', 101, { fromDiskCache: true }),
    network('a', 150, { extraInfoStatus: 200, encodedDataLength: null }),
  ]);
  expect(resources).toHaveLength(2);
  expect(resources[0]?.evidence.debugger?.hasUnfinishedTwin).toBe(false);
});

test('hits of one URL in two documents are two requests, although one document reported its use', () => {
  const hits = ['D', 'E'].map((documentId, index) => ({
    ...webRequest('a', 101 + index, true),
    documentId,
  }));
  const { resources } = join(
    [{ ...page('a', 100, onDisk), documentId: 'D' }, ...hits],
    [watch('page'), watch('webRequest')],
  );
  expect(resources.map(({ evidence }) => evidence.webRequest?.requests)).toEqual([1, 1]);
});
