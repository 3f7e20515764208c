import { expect, test } from 'vitest';
import { attribute } from '../attribution/cache-source.ts';
import { entry, har, loads, only } from '../fixtures/har.ts';

test('a cache hit transferred nothing, and its encoded size is unknown', () => {
  const hit = only({ _fromCache: 'disk' }, { bodySize: 0, _transferSize: 0 });
  expect(hit).toMatchObject({ transferredBytes: 0, encodedBytes: null, decodedBytes: 5031 });
  expect(attribute(hit.evidence).source).toBe('disk');
  const memory = only({ _fromCache: 'memory' }, { bodySize: 0, _transferSize: undefined });
  expect(memory).toMatchObject({ transferredBytes: 0, encodedBytes: null });
  expect(attribute(memory.evidence).source).toBe('memory');
});

test('a 304 is not the status that the page sees, and its body was not received', () => {
  const revalidated = only(
    {},
    { status: 304, bodySize: 0, _transferSize: 181, content: { size: 0, mimeType: '' } },
  );
  expect(revalidated).toMatchObject({
    status: null,
    mimeType: null,
    transferredBytes: 181,
    encodedBytes: null,
    decodedBytes: null,
  });
  expect(revalidated.evidence.devtools?.status).toBe(304);
});

test.each([
  ['a 304 with its stored body, as Firefox writes it', {}, { status: 304 }],
  ['a response to HEAD', { method: 'HEAD' }, {}],
  ['204', {}, { status: 204 }],
])('no body is sent with %s', (_what, asked, answer) => {
  const request = { url: 'http://127.0.0.1/a', method: 'GET', ...asked };
  const sizes = { headersSize: 386, bodySize: 5509, _transferSize: undefined };
  expect(only({ request }, { ...sizes, ...answer })).toMatchObject({
    transferredBytes: 386,
    encodedBytes: null,
  });
  const unknown = only({ request }, { ...sizes, ...answer, headersSize: -1 });
  expect(unknown.transferredBytes).toBeNull();
});

test('the values -1, 0 and absent, which mean unknown in a HAR, become null', () => {
  const unknown = only(
    { time: -1, timings: {}, _resourceType: undefined },
    { status: 0, headers: [], headersSize: -1, bodySize: -1, _transferSize: -1, content: {} },
  );
  expect(unknown).toMatchObject({
    status: null,
    type: 'other',
    mimeType: null,
    coding: null,
    durationMs: null,
    responseStartMs: null,
    transferredBytes: null,
    encodedBytes: null,
    decodedBytes: null,
  });
  expect(unknown).not.toHaveProperty('responseHeaders');
});

test('an empty body is 0 bytes; a size of 0 with received bytes is unknown', () => {
  const empty = only({}, { bodySize: 0, content: { size: 0 } });
  expect(empty).toMatchObject({ encodedBytes: 0, decodedBytes: 0 });
  const odd = only({}, { bodySize: 10, content: { size: 0 } });
  expect(odd).toMatchObject({ encodedBytes: 10, decodedBytes: null });
});

test('the status of a service worker’s own fetch is assigned to its response', () => {
  const worker = {
    _fetchedViaServiceWorker: true,
    _serviceWorkerResponseSource: 'network',
    _transferSize: 0,
    bodySize: -1,
  };
  const fetched = { startedDateTime: '2026-11-20T23:00:00.252Z', pageref: undefined };
  const own = entry(fetched, { status: 304 });
  const [load, rest] = loads(har([entry({}, worker), own]));
  expect(load?.resources[0]?.evidence.devtools).toMatchObject({ serviceWorkerFetchStatus: 304 });
  expect(rest?.resources).toHaveLength(1);
  // With two candidates the fetch is ambiguous.
  const [unsure] = loads(har([entry({}, worker), own, own]));
  expect(unsure?.resources[0]?.evidence.devtools).not.toHaveProperty('serviceWorkerFetchStatus');
  // Without a body, 200 may be the status of a stored response that a 304 confirmed.
  const short = { status: 200, _transferSize: 154, bodySize: 0, content: { size: 5200 } };
  const [late] = loads(har([entry({}, worker), entry(fetched, short)]));
  expect(late?.resources[0]?.evidence.devtools).not.toHaveProperty('serviceWorkerFetchStatus');
});

test('the router, the Cache Storage and a preload are read', () => {
  const resource = only(
    { _initiator: { type: 'preload' }, _fromCache: 'disk' },
    {
      _fetchedViaServiceWorker: true,
      _serviceWorkerResponseSource: 'cache-storage',
      _responseCacheStorageCacheName: 'v1',
      _serviceWorkerRouterMatchedSourceType: 'cache',
      _serviceWorkerRouterActualSourceType: 'cache',
    },
  );
  expect(resource.isPreload).toBe(true);
  expect(resource.evidence.devtools).toMatchObject({
    fromCache: 'disk',
    cacheStorageName: 'v1',
    routerMatched: 'cache',
    routerActual: 'cache',
  });
});

test('an unknown cache is no evidence', () => {
  const { evidence } = only({ _fromCache: 'hologram' }, { _transferSize: 917 });
  expect(evidence).toEqual({ scheme: 'http' });
  expect(attribute(evidence).source).toBe('unknown');
});
