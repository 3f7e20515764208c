import { expect, test } from 'vitest';
import { onDisk, timing } from '../fixtures/cache-source.ts';
import { joinLoad, type LoadParts } from './join.ts';
import type { NetworkEvidence } from '../attribution/evidence.ts';
import type { Observation, ObservedDocument, Watch } from './observation.ts';

const began = 1_000_000;
const document: ObservedDocument = {
  id: 'load',
  tabId: 7,
  documentId: 'D',
  url: 'http://127.0.0.1/page',
  startedAtMs: began,
  navigationType: 'navigate',
  domContentLoadedMs: 50,
  loadMs: null,
  droppedEntries: 0,
};
let keys = 0;

function common(name: string, atMs: number, context: Observation['context'] = 'unknown') {
  return {
    key: `k${keys++}`,
    tabId: 7,
    url: `http://127.0.0.1/${name}`,
    startedAtMs: began + atMs,
    endedAtMs: began + atMs + 10,
    context,
    facts: {},
  };
}
function page(name: string, atMs: number, row = {}): Observation {
  const evidence = { timing: timing({ startTime: atMs, ...row }), hasServiceWorker: false };
  return { ...common(name, atMs, 'document'), witness: 'page', evidence };
}
function webRequest(name: string, atMs: number, fromCache = false): Observation {
  const evidence = { fromCache, statusCode: 200, requests: 1 };
  return { ...common(name, atMs), witness: 'webRequest', evidence };
}
function devtools(name: string, atMs: number, more = {}): Observation {
  const evidence = { status: 200, transferSize: 300, fetchedViaServiceWorker: false, ...more };
  return { ...common(name, atMs), witness: 'devtools', evidence };
}
function network(name: string, atMs: number, more: Partial<NetworkEvidence> = {}): Observation {
  const evidence: NetworkEvidence = {
    requestServedFromCache: false,
    fromDiskCache: false,
    fromPrefetchCache: false,
    fromServiceWorker: false,
    fromEarlyHints: false,
    status: 200,
    extraInfoStatus: null,
    encodedDataLength: 0,
    ...more,
  };
  return { ...common(name, atMs), witness: 'debugger', evidence };
}
function watch(depth: Watch['depth'], fromMs = -100, toMs: number | null = null): Watch {
  const end = toMs === null ? null : began + toMs;
  return { key: depth, tabId: 7, depth, fromMs: began + fromMs, toMs: end };
}
function join(observations: Observation[], watches: Watch[] = [watch('page')]) {
  const parts: LoadParts = { document, observations, watches };
  return joinLoad(parts);
}

test('observations of one use by all witnesses make one resource, in order of start', () => {
  const { resources, depths } = join(
    [
      devtools('b', 202),
      page('b', 200),
      network('b', 201),
      webRequest('b', 203),
      page('a', 100),
      devtools('a', 101),
      network('a', 101),
      webRequest('a', 101),
    ],
    [watch('page'), watch('webRequest'), watch('devtools'), watch('debugger')],
  );
  expect(depths).toEqual(['page', 'webRequest', 'devtools', 'debugger']);
  expect(resources.map(({ url, sequence, startMs }) => [url.slice(-1), sequence, startMs])).toEqual(
    [
      ['a', 0, 100],
      ['b', 1, 200],
    ],
  );
  for (const { evidence } of resources) {
    expect(Object.keys(evidence)).toEqual(['scheme', 'page', 'webRequest', 'devtools', 'debugger']);
    expect(Object.values(evidence)).not.toContain(null);
  }
});

test('a witness that watched and saw nothing is null; one that did not watch is absent', () => {
  const early = watch('webRequest', 150);
  const { resources } = join(
    [page('a', 100), page('b', 200), webRequest('c', 300)],
    [watch('page'), early],
  );
  expect(resources.map(({ evidence }) => evidence.webRequest)).toMatchObject([
    undefined,
    null,
    { statusCode: 200 },
  ]);
});

test('a witness that stopped watching before the use is absent', () => {
  const { resources } = join([page('a', 100)], [watch('webRequest', -100, 50)]);
  expect(resources[0]?.evidence).not.toHaveProperty('webRequest');
});

test('a memory cache hit between two requests of the same URL gets neither of them', () => {
  const { resources } = join(
    [page('a', 100), page('a', 500), page('a', 900), webRequest('a', 102), webRequest('a', 903)],
    [watch('page'), watch('webRequest')],
  );
  expect(resources.map(({ evidence }) => evidence.webRequest?.statusCode)).toEqual([
    200,
    undefined,
    200,
  ]);
  expect(resources[1]?.evidence.webRequest).toBeNull();
});

test('observations that cannot be distinguished stay separate and are not evidence', () => {
  const { resources } = join(
    [page('a', 100), page('a', 104), webRequest('a', 102)],
    [watch('page'), watch('webRequest')],
  );
  expect(resources).toHaveLength(3);
  for (const { evidence } of resources.filter(({ evidence }) => evidence.page))
    expect(evidence).not.toHaveProperty('webRequest');
});

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

test("DevTools' entry of a service worker's own fetch does not replace the page's request", () => {
  const { resources } = join(
    [
      page('a', 100, onDisk),
      devtools('a', 100.5, {
        fetchedViaServiceWorker: true,
        serviceWorkerResponseSource: 'network',
        transferSize: 0,
      }),
      devtools('a', 104, { status: 304 }),
    ],
    [watch('page'), watch('devtools')],
  );
  expect(resources.map(({ context }) => context)).toEqual(['document', 'service-worker']);
  expect(resources[0]?.evidence.devtools).toMatchObject({
    fetchedViaServiceWorker: true,
    serviceWorkerFetchStatus: 304,
  });
});

test('a use without an entry does not take the request of the use that made it', () => {
  const shared: Observation = {
    ...common('a', 103, 'document'),
    witness: 'page',
    evidence: { timing: null, earlierEntry: { startTime: 100 } },
  };
  const { resources } = join(
    [page('a', 100), shared, network('a', 101, { extraInfoStatus: 200 })],
    [watch('page'), watch('debugger')],
  );
  expect(resources.map(({ evidence }) => evidence.debugger?.extraInfoStatus ?? null)).toEqual([
    200,
    null,
  ]);
});

test('a request of which only the start is known is listed without evidence', () => {
  const began = { ...common('a', 100), endedAtMs: null };
  const { resources } = join([{ ...began, witness: 'webRequest', evidence: null }]);
  expect(resources).toMatchObject([{ durationMs: null, evidence: { scheme: 'http' } }]);
});

test('unknown numbers stay unknown; known ones come from the witness nearest to the network', () => {
  const told = { ...network('a', 101), facts: { transferredBytes: 511, coding: 'dcb' } };
  const { resources } = join([
    { ...page('a', 100), facts: { coding: null, encodedBytes: 59, transferredBytes: null } },
    told,
  ]);
  expect(resources[0]).toMatchObject({
    coding: 'dcb',
    transferredBytes: 511,
    encodedBytes: 59,
    decodedBytes: null,
    storedBytes: null,
    status: null,
  });
});

test('dropped entries are reported', () => {
  const { warnings } = joinLoad({
    document: { ...document, droppedEntries: 12 },
    observations: [],
    watches: [],
  });
  expect(warnings.join()).toContain('12 Resource Timing entries');
});

test("a worker's read of the same URL is not assigned to the page", () => {
  const ofWorker: Observation = { ...network('a', 100.5), context: 'worker' };
  const { resources } = join(
    [page('a', 100), ofWorker, network('a', 103, { extraInfoStatus: 200 })],
    [watch('page'), watch('debugger')],
  );
  expect(resources.map(({ context }) => context)).toEqual(['document', 'worker']);
  expect(resources[0]?.evidence.debugger?.extraInfoStatus).toBe(200);
});

test('a request with an unknown start belongs to the only use in progress, or to none', () => {
  const late: Observation = { ...webRequest('a', 108), isStartUnknown: true };
  const watches = [watch('page'), watch('webRequest')];
  const one = join([page('a', 100), page('a', 9000), late], watches);
  expect(one.resources.map(({ evidence }) => evidence.webRequest)).toMatchObject([
    { statusCode: 200 },
    null,
  ]);
  const two = join([page('a', 100), page('a', 107), late], watches);
  expect(two.resources).toHaveLength(2);
  for (const { evidence } of two.resources) expect(evidence).not.toHaveProperty('webRequest');
});

test('a request with an unknown start is not assigned to another document or to a memory cache hit', () => {
  const late: Observation = { ...webRequest('a', 108), isStartUnknown: true };
  const watches = [watch('page'), watch('webRequest')];
  const elsewhere = join(
    [
      { ...page('a', 100), documentId: 'D' },
      { ...late, documentId: 'E' },
    ],
    watches,
  );
  expect(elsewhere.resources).toHaveLength(2);
  const hit = join([{ ...page('a', 107, { duration: 0 }), endedAtMs: began + 107 }, late], watches);
  expect(hit.resources).toHaveLength(2);
});

test('a request with an unknown start and no other row has an unknown duration', () => {
  const ended = { ...webRequest('a', 108), endedAtMs: began + 108, isStartUnknown: true };
  const { resources } = join([ended], [watch('webRequest')]);
  expect(resources.map(({ durationMs }) => durationMs)).toEqual([null]);
});

test('silence about a request that has just ended is no evidence yet', () => {
  const observations = [page('a', 100), webRequest('b', 90)];
  const parts = { document, observations, watches: [watch('webRequest')] };
  const soon = joinLoad({ ...parts, readAtMs: began + 5000 });
  expect(soon.resources[1]?.evidence).not.toHaveProperty('webRequest');
  const later = joinLoad({ ...parts, readAtMs: began + 20_000 });
  expect(later.resources[1]?.evidence.webRequest).toBeNull();
});

test('silence about a request that ended before the witness’s latest report shows that it saw nothing', () => {
  const observations = [page('a', 100), webRequest('b', 150)];
  const parts = { document, observations, watches: [watch('webRequest')] };
  const [first] = joinLoad({ ...parts, readAtMs: began + 200 }).resources;
  expect(first?.evidence.webRequest).toBeNull();
});

test("a frame's document is listed once, by its own entry", () => {
  const entry = (initiatorType: string, context: 'document' | 'frame'): Observation => ({
    ...page('frame', initiatorType === 'iframe' ? 100 : 101),
    context,
    facts: { initiatorType },
  });
  const { resources } = join([entry('iframe', 'document'), entry('navigation', 'frame')]);
  expect(resources.map(({ context }) => context)).toEqual(['frame']);
});

test('chrome.webRequest’s silence about an origin that it never reported is no evidence', () => {
  const elsewhere = { ...page('a', 100), url: 'https://other.example/a' };
  const { resources } = join([elsewhere, webRequest('b', 90)], [watch('webRequest')]);
  expect(resources.find(({ url }) => url === elsewhere.url)?.evidence).not.toHaveProperty(
    'webRequest',
  );
});

test('a redirected document is one resource with the request for its original URL', () => {
  const entry = { ...page('final', 0), facts: { initiatorType: 'navigation' } };
  const request = { ...webRequest('start', 1), finalUrl: entry.url };
  const { resources } = join([entry, request], [watch('page'), watch('webRequest')]);
  expect(resources).toHaveLength(1);
  expect(resources[0]?.evidence.webRequest).toMatchObject({ statusCode: 200 });
});

test('requests of different documents are never paired, however close in time', () => {
  const { resources } = join(
    [
      { ...page('a', 100), documentId: 'D' },
      { ...webRequest('a', 101), documentId: 'E' },
    ],
    [watch('page'), watch('webRequest')],
  );
  expect(resources).toHaveLength(2);
  expect(resources[0]?.evidence).not.toHaveProperty('webRequest');
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
