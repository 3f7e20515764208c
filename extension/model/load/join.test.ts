import { expect, test } from 'vitest';
import { attributeLoad } from '../attribution/attributed-resource.ts';
import { inMemory } from '../fixtures/cache-source.ts';
import {
  began,
  common,
  devtools,
  join,
  network,
  page,
  watch,
  webRequest,
} from '../fixtures/observed-load.ts';
import type { Observation } from './observation.ts';

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

test("a worker's script that seems to take no time is one row with its request, from the disk cache", () => {
  const script = page('worker.js', 101.8, { ...inMemory, initiatorType: 'other' });
  const asked = webRequest('worker.js', 92.6, true);
  const watches = [watch('page'), watch('webRequest')];
  const sources = (load: ReturnType<typeof join>) =>
    attributeLoad(load).map(({ attribution }) => attribution.source);
  expect(sources(join([script, asked], watches))).toEqual(['disk']);
  // The page alone cannot tell.
  expect(sources(join([script]))).toEqual(['unknown']);
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

test("a frame's document is listed once, by its own entry", () => {
  const entry = (initiatorType: string, context: 'document' | 'frame'): Observation => ({
    ...page('frame', initiatorType === 'iframe' ? 100 : 101),
    context,
    facts: { initiatorType },
  });
  const { resources } = join([entry('iframe', 'document'), entry('navigation', 'frame')]);
  expect(resources.map(({ context }) => context)).toEqual(['frame']);
});

test('a redirected frame is listed once, also where DevTools lists each redirect', () => {
  const parents: Observation = { ...page('frame', 101), facts: { initiatorType: 'iframe' } };
  const own: Observation = {
    ...page('final', 100),
    context: 'frame',
    facts: { initiatorType: 'navigation' },
  };
  const hop = { ...devtools('frame', 102), redirectsTo: own.url, facts: { status: 302 } };
  const { resources } = join(
    [parents, own, hop, devtools('final', 104)],
    [watch('page'), watch('devtools')],
  );
  expect(resources.map(({ context, evidence }) => [context, Boolean(evidence.devtools)])).toEqual([
    ['frame', true],
  ]);
});

test('a redirected document is one resource with the request for its original URL', () => {
  const entry = { ...page('final', 0), facts: { initiatorType: 'navigation' } };
  const request = { ...webRequest('start', 1), finalUrl: entry.url };
  const { resources } = join([entry, request], [watch('page'), watch('webRequest')]);
  expect(resources).toHaveLength(1);
  expect(resources[0]?.evidence.webRequest).toMatchObject({ statusCode: 200 });
});

test("a frame's request that names the frame's document before is paired with the one that reported it", () => {
  const use: Observation = { ...page('a', 100), context: 'frame', documentId: 'D', frameId: 4 };
  const asked = { ...webRequest('a', 101), documentId: 'blank' };
  const joined = (frameId: number, ...more: Observation[]) =>
    join([use, { ...asked, frameId }, ...more], [watch('page'), watch('webRequest')]).resources;
  expect(joined(4)).toHaveLength(1);
  expect(joined(4)[0]?.evidence.webRequest).toMatchObject({ statusCode: 200 });
  // Another frame's, and a frame's with two documents that reported uses: whose it is is unknown.
  expect(joined(5)).toHaveLength(2);
  const later: Observation = { ...page('b', 400), context: 'frame', documentId: 'E', frameId: 4 };
  expect(joined(4, later)).toHaveLength(3);
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

test('a response that Blink gave up ends for the page when a busy document did so, and is one use', () => {
  const missing = { encodedBodySize: 0, decodedBodySize: 0, responseStatus: 404 };
  const late = { ...page('a', 100, missing), endedAtMs: began + 300 };
  const asked = [late, webRequest('a', 101)];
  expect(join(asked, [watch('page'), watch('webRequest')]).resources).toHaveLength(1);
});

test('a use without an entry has the times of its request, when another witness reports that', () => {
  const shared: Observation = {
    ...common('a', 103, 'document'),
    endedAtMs: null,
    witness: 'page',
    evidence: { timing: null },
  };
  const { resources } = join([shared, webRequest('a', 90)], [watch('page'), watch('webRequest')]);
  expect(resources).toMatchObject([{ startMs: 90, durationMs: 10 }]);
  expect(join([shared]).resources).toMatchObject([{ startMs: 103, durationMs: null }]);
});

test('a request that names no document does not take the use of one that names it', () => {
  const frame = { ...page('a', 104), documentId: 'D' };
  const worker: Observation = { ...page('a', 100), documentId: 'E' };
  const unnamed = webRequest('a', 105);
  const named = { ...webRequest('a', 106), documentId: 'D' };
  const { resources } = join([worker, frame, unnamed, named], [watch('page'), watch('webRequest')]);
  expect(resources).toHaveLength(2);
});

test('what Blink gave up ends when it did so, which may be after its request: one row', () => {
  const entry = { nextHopProtocol: '', firstInterimResponseStart: 358, responseStart: 358 };
  const given = (row: object) => ({
    ...page('a', 354, { ...entry, finalResponseHeadersStart: 0, requestStart: 357, ...row }),
    endedAtMs: began + 377,
  });
  const witnesses = (use: Observation) =>
    join(
      [
        use,
        { ...webRequest('a', 356, true), endedAtMs: began + 361 },
        { ...devtools('a', 353), endedAtMs: began + 376 },
      ],
      [watch('page'), watch('webRequest'), watch('devtools')],
    ).resources.map(({ evidence }) => Object.keys(evidence).slice(1));
  expect(witnesses(given({}))).toEqual([['page', 'webRequest', 'devtools']]);
  // The end of any other use is that of its response.
  expect(witnesses(given({ finalResponseHeadersStart: 358 }))).not.toHaveLength(1);
});
