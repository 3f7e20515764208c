import type { PageBatch, PageUse } from '@cachescope/model/load/page-batch.ts';
import { expect, test } from 'vitest';
import { documentsOf, pageObservations } from './page-observations.ts';

const main = { tabId: 7, frameId: 0, documentId: 'D' };
const timeOriginMs = 1_000_000;

function batch(more: Partial<PageBatch> = {}): PageBatch {
  return {
    url: 'https://example.test/',
    timeOriginMs,
    activationStartMs: 0,
    navigationType: 'navigate',
    domContentLoadedMs: 300,
    loadMs: 500,
    droppedEntries: 0,
    restoredAtMs: null,
    uses: [],
    ...more,
  };
}

function use(more: Partial<PageUse> = {}): PageUse {
  const url = 'https://example.test/app.js';
  const base = { index: 3, url, atMs: 20, isPreload: false, hasServiceWorker: false };
  return { ...base, timing: timing(), ...more };
}

function timing(more: Partial<NonNullable<PageUse['timing']>> = {}) {
  return {
    startTime: 20,
    duration: 15,
    responseStart: 30,
    responseStatus: 200,
    initiatorType: 'script',
    contentType: 'text/javascript; charset=utf-8',
    contentEncoding: 'BR',
    transferSize: 1300,
    encodedBodySize: 1000,
    decodedBodySize: 4000,
    ...more,
  };
}

function observed(of: PageUse, more: Partial<PageBatch> = {}, sender = main) {
  return pageObservations(batch({ uses: [of], ...more }), sender)[0];
}

test('an entry becomes an observation on the wall clock, with its sizes and coding', () => {
  expect(observed(use())).toEqual({
    witness: 'page',
    key: 'page D 3',
    tabId: 7,
    documentId: 'D',
    frameId: 0,
    url: 'https://example.test/app.js',
    startedAtMs: timeOriginMs + 20,
    endedAtMs: timeOriginMs + 35,
    responseStartedAtMs: timeOriginMs + 30,
    context: 'document',
    facts: {
      status: 200,
      type: 'script',
      mimeType: 'text/javascript',
      initiatorType: 'script',
      coding: 'br',
      transferredBytes: null,
      encodedBytes: 1000,
      decodedBytes: 4000,
      isPreload: false,
    },
    evidence: { timing: timing(), hasServiceWorker: false },
  });
});

test('the same use has the same key in every batch; another index or document gives another key', () => {
  const again = observed(use({ atMs: 20 }), { loadMs: null });
  expect(again?.key).toBe(observed(use())?.key);
  expect(observed(use({ index: 4 }))?.key).not.toBe(again?.key);
  expect(observed(use(), {}, { ...main, documentId: 'E' })?.key).not.toBe(again?.key);
});

test('a use without an entry starts at its element’s load event, and has no end and no size', () => {
  const earlierEntry = { startTime: 5, initiatorType: 'link', isPreload: true };
  const shared = observed(use({ timing: null, tag: 'img', earlierEntry }));
  expect(shared).toMatchObject({ startedAtMs: timeOriginMs + 20, endedAtMs: null });
  expect(shared?.facts).toEqual({ type: 'image', isPreload: false });
  expect(shared?.evidence).toEqual({ timing: null, hasServiceWorker: false, earlierEntry });
});

test('sizes hidden by another origin are unknown, not 0', () => {
  const hidden = timing({
    responseStart: 0,
    responseStatus: 0,
    contentEncoding: '',
    transferSize: 0,
    encodedBodySize: 0,
    decodedBodySize: 0,
  });
  const facts = observed(use({ timing: hidden }))?.facts;
  expect(facts).toMatchObject({ status: null, coding: null });
  expect(facts).toMatchObject({ encodedBytes: null, decodedBytes: null });
});

test('an empty body whose sizes are visible has 0 bytes and the coding identity', () => {
  const empty = timing({
    contentEncoding: '',
    transferSize: 0,
    encodedBodySize: 0,
    decodedBodySize: 0,
  });
  const facts = observed(use({ timing: empty }))?.facts;
  expect(facts).toMatchObject({ coding: 'identity', encodedBytes: 0, decodedBytes: 0 });
});

test('without contentEncoding the coding is unknown', () => {
  const { contentEncoding: _, ...older } = timing();
  expect(observed(use({ timing: older }))?.facts.coding).toBeNull();
});

test('a 304 reported without a body has unknown body sizes, not 0', () => {
  const revalidated = timing({ transferSize: 300, encodedBodySize: 0, decodedBodySize: 0 });
  const facts = observed(use({ timing: revalidated }))?.facts;
  expect(facts).toMatchObject({ encodedBytes: null, decodedBytes: null });
});

test('a response of a service worker has no encoded size', () => {
  const worker = observed(use({ timing: timing({ workerStart: 22 }) }));
  expect(worker?.facts).toMatchObject({ encodedBytes: null, decodedBytes: 4000 });
});

test('a frame reports its resources and starts no load', () => {
  const frame = { ...main, frameId: 4 };
  expect(observed(use(), {}, frame)?.context).toBe('frame');
  expect(pageObservations(batch({ restoredAtMs: 9000 }), frame)).toEqual([]);
});

test('a document without a restore is one load', () => {
  expect(documentsOf(batch({ droppedEntries: 2 }), main)).toEqual([
    {
      id: 'D',
      tabId: 7,
      documentId: 'D',
      url: 'https://example.test/',
      startedAtMs: timeOriginMs,
      navigationType: 'navigate',
      domContentLoadedMs: 300,
      loadMs: 500,
      droppedEntries: 2,
    },
  ]);
});

test('a prerendered document starts at its activation, and was ready by then', () => {
  const [document] = documentsOf(batch({ activationStartMs: 400 }), main);
  expect(document).toMatchObject({
    startedAtMs: timeOriginMs + 400,
    timeOriginMs,
    domContentLoadedMs: 0,
    loadMs: 100,
  });
});

test('a restored document is a separate load, whose document came from the back/forward cache', () => {
  const restored = batch({ restoredAtMs: 9000, activationStartMs: 400 });
  const [, restore] = documentsOf(restored, main);
  expect(restore).toMatchObject({
    id: 'D 9000',
    documentId: 'D',
    startedAtMs: timeOriginMs + 9000,
    navigationType: 'back-forward-cache',
    domContentLoadedMs: null,
    loadMs: null,
  });
  expect(restore).not.toHaveProperty('timeOriginMs');
  expect(pageObservations(restored, main)).toMatchObject([
    {
      key: 'page D restored 9000',
      startedAtMs: timeOriginMs + 9000,
      evidence: { timing: null, isBackForwardRestore: true },
    },
  ]);
});

test('a document ends with its response, not with the load event', () => {
  const navigation = { initiatorType: 'navigation', startTime: 0, duration: 476.7 };
  expect(observed(use({ timing: timing({ ...navigation, responseEnd: 42.1 }) }))?.endedAtMs).toBe(
    timeOriginMs + 20 + 42.1,
  );
  expect(
    observed(use({ timing: timing({ ...navigation, responseEnd: 0 }) }))?.endedAtMs,
  ).toBeNull();
});

test('an unrecognized navigation type is unknown', () => {
  expect(documentsOf(batch({ navigationType: 'teleport' }), main)[0]?.navigationType).toBe(
    'unknown',
  );
  expect(documentsOf(batch({ navigationType: null }), main)[0]?.navigationType).toBe('unknown');
});

test('about:blank is not a request, and its resources have no documentId', () => {
  expect(observed(use({ url: 'about:blank' }))).toBeUndefined();
  expect(observed(use(), { url: 'about:blank' })).not.toHaveProperty('documentId');
  // document.open() gives it the URL of another document.
  expect(observed(use(), { isBlank: true })).not.toHaveProperty('documentId');
  expect(observed(use())).toHaveProperty('documentId', 'D');
});

test.each([
  ['https://example.test', true],
  ['https://other.test', undefined],
  ['null', undefined],
])('a request of origin %s may have been blocked: %s', (origin, mayBeBlocked) => {
  expect(observed(use(), { origin })?.evidence).toHaveProperty('hasServiceWorker');
  const { evidence } = observed(use(), { origin }) ?? {};
  expect((evidence as { mayBeBlocked?: boolean }).mayBeBlocked).toBe(mayBeBlocked);
});
