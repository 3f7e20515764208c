import type { Protocol } from 'devtools-protocol';
import { expect, test } from 'vitest';
import {
  dataReceived,
  loadingFinished,
  responseExtraInfo,
  responseReceived,
  wallTimeAtZero,
  willBeSent,
} from '../fake-browser/network-events.ts';
import { NetworkRequest } from './network-request.ts';

const url = 'https://example.test/app.js';
const receivedHeaders = { 'Content-Encoding': 'br', 'Content-Type': 'text/javascript' };

function request(): NetworkRequest {
  return new NetworkRequest('debugger 7 1', 7, 'document');
}

test('a repeated header field is one field for each of its lines', () => {
  const one = request();
  one.willBeSent(willBeSent(url));
  one.responseExtraInfo(responseExtraInfo(200, { 'Cache-Control': 'max-age=60\nno-store' }));
  one.responseReceived(responseReceived({ headers: receivedHeaders }));
  expect(one.observation()?.facts.responseHeaders).toEqual([
    ['cache-control', 'max-age=60'],
    ['cache-control', 'no-store'],
  ]);
});

test('the events of a request give the same observation in any order', () => {
  const events: ((request: NetworkRequest) => void)[] = [
    (each) => each.willBeSent(willBeSent(url)),
    (each) =>
      each.requestExtraInfo({
        headers: { 'Accept-Encoding': 'br' },
      } as unknown as Protocol.Network.RequestWillBeSentExtraInfoEvent),
    (each) => each.responseReceived(responseReceived({ headers: receivedHeaders })),
    (each) => each.responseExtraInfo(responseExtraInfo(200, { ...receivedHeaders, Age: '5' })),
    (each) => {
      each.dataReceived(dataReceived(1000));
      each.dataReceived(dataReceived(500));
    },
    (each) => each.finished(loadingFinished(700, 2)),
  ];
  const observed = ordersOf(events).map((order) => {
    const made = request();
    for (const tell of order) tell(made);
    return made.observation();
  });
  expect(observed).toHaveLength(720);
  expect(new Set(observed.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(observed[0]).toMatchObject({
    startedAtMs: wallTimeAtZero * 1000,
    endedAtMs: (wallTimeAtZero + 2) * 1000,
    facts: {
      coding: 'br',
      decodedBytes: 1500,
      transferredBytes: 700,
      requestHeaders: [['accept-encoding', 'br']],
      responseHeaders: [
        ['content-encoding', 'br'],
        ['content-type', 'text/javascript'],
        ['age', '5'],
      ],
    },
    evidence: { status: 200, extraInfoStatus: 200, encodedDataLength: 700 },
  });
});

test('there is no observation before requestWillBeSent', () => {
  const early = request();
  early.responseReceived(responseReceived());
  early.finished(loadingFinished(100));
  expect(early.observation()).toBeUndefined();
});

test('a request without a response has a start and nothing else', () => {
  const begun = request();
  begun.willBeSent(willBeSent(url, { initiator: 'preload' }));
  expect(begun.observation()).toMatchObject({
    url,
    endedAtMs: null,
    facts: { isPreload: true },
    evidence: null,
  });
});

test('redirects are folded into their request, and their status is not the final status', () => {
  const moved = 'https://example.test/moved.js';
  const redirected = request();
  redirected.willBeSent(willBeSent(url));
  const redirectResponse = { url: `${url}#part`, status: 301 };
  redirected.willBeSent(willBeSent(moved, { timestamp: 1, redirectResponse }));
  // The extra info of the redirect, late.
  redirected.responseExtraInfo(responseExtraInfo(301, { Location: moved }));
  redirected.responseReceived(responseReceived({ fromDiskCache: true }));
  redirected.finished(loadingFinished(0, 3));
  expect(redirected.observation()).toMatchObject({
    url,
    finalUrl: moved,
    redirects: [{ url, status: 301 }],
    startedAtMs: wallTimeAtZero * 1000,
    endedAtMs: (wallTimeAtZero + 3) * 1000,
    facts: { responseHeaders: [] },
    evidence: { fromDiskCache: true, extraInfoStatus: null },
  });
});

test('a revalidated response has the status that the page sees, and the 304 of the network as evidence', () => {
  const revalidated = request();
  revalidated.willBeSent(willBeSent(url));
  revalidated.responseExtraInfo(responseExtraInfo(304));
  revalidated.responseReceived(responseReceived({ headers: receivedHeaders }));
  revalidated.finished(loadingFinished(120));
  expect(revalidated.observation()).toMatchObject({
    facts: { status: 200, coding: 'br' },
    evidence: { status: 200, extraInfoStatus: 304 },
  });
});

test('a 304 that the page itself gets gives neither status nor coding of the body', () => {
  const conditional = request();
  conditional.willBeSent(willBeSent(url));
  conditional.responseReceived(responseReceived({ status: 304 }));
  expect(conditional.observation()).toMatchObject({
    facts: { status: null, coding: null },
    evidence: { status: 304 },
  });
});

test('a memory hit transfers 0 bytes, and does not take over the times of the first use', () => {
  const timing = { requestTime: 0, receiveHeadersEnd: 30 } as Protocol.Network.ResourceTiming;
  const first = request();
  first.willBeSent(willBeSent(url));
  first.responseReceived(responseReceived({ timing }));
  first.finished(loadingFinished(700));
  const hit = request();
  hit.willBeSent(willBeSent(url));
  hit.servedFromCache();
  hit.responseReceived(responseReceived({ timing }));
  hit.finished(loadingFinished(700));
  expect(first.observation()).toMatchObject({
    responseStartedAtMs: wallTimeAtZero * 1000 + 30,
    facts: { transferredBytes: 700 },
  });
  expect(hit.observation()).toMatchObject({
    facts: { transferredBytes: 0 },
    evidence: { requestServedFromCache: true },
  });
  expect(hit.observation()).not.toHaveProperty('responseStartedAtMs');
});

test('an incomplete body has no size', () => {
  const broken = request();
  broken.willBeSent(willBeSent(url));
  broken.responseReceived(responseReceived());
  broken.dataReceived(dataReceived(1000));
  broken.failed({ timestamp: 4 } as Protocol.Network.LoadingFailedEvent);
  const observed = broken.observation();
  expect(observed).toMatchObject({
    endedAtMs: (wallTimeAtZero + 4) * 1000,
    facts: { transferredBytes: null },
    evidence: { encodedDataLength: null },
  });
  expect(observed?.facts).not.toHaveProperty('decodedBytes');
});

test('a data: URL transfers nothing', () => {
  const inline = request();
  inline.willBeSent(willBeSent('data:text/javascript,1'));
  inline.responseReceived(responseReceived({ protocol: 'data' }));
  inline.finished(loadingFinished(25));
  expect(inline.observation()).toMatchObject({
    facts: { transferredBytes: null },
    evidence: { protocol: 'data' },
  });
});

test('a data: URL is kept without the rest of its body', () => {
  const image = request();
  const long = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  image.willBeSent(willBeSent(long));
  expect(image.observation()?.url).toBe(long.slice(0, 2048));
});

test('service worker and router evidence is kept', () => {
  const routed = request();
  routed.willBeSent(willBeSent(url));
  routed.responseReceived(
    responseReceived({
      fromServiceWorker: true,
      serviceWorkerResponseSource: 'cache-storage',
      cacheStorageCacheName: 'v1',
      serviceWorkerRouterInfo: {
        matchedSourceType: 'cache',
        actualSourceType: 'network',
      },
    }),
  );
  expect(routed.observation()?.evidence).toMatchObject({
    fromServiceWorker: true,
    serviceWorkerResponseSource: 'cache-storage',
    cacheStorageName: 'v1',
    routerMatched: 'cache',
    routerActual: 'network',
  });
});

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, place) =>
    ordersOf(items.toSpliced(place, 1)).map((rest) => [item, ...rest]),
  );
}

test.each([
  ['a script names the navigation to its document', 'Script', 'debugger 7 N'],
  ['a prefetch of speculation rules, whose loader is itself, names none', 'Prefetch', null],
])('%s', (_, type, navigationKey) => {
  const request = new NetworkRequest('debugger 7 1', 7, 'unknown');
  request.willBeSent(willBeSent(url, { type, loaderId: 'N' }));
  expect(request.observation()?.navigationKey).toBe(navigationKey);
});
