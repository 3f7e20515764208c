import { expect, test } from 'vitest';
import { load, observed } from '../fixtures/observed-tab.ts';
import { ownObservations } from './own-observations.ts';
import type { Observation, ObservedDocument } from './observation.ts';

const keys = (list: Observation[]) => list.map(({ key }) => key);

test('a request that a document makes just before the next load is its own, as the navigation of its document shows', () => {
  const [before, next] = [load('A', 1000), load('B', 2000)];
  const navigation = (key: string, atMs: number) =>
    observed(key, atMs, undefined, { witness: 'debugger', navigationKey: key });
  const request = (key: string, atMs: number, navigationKey: string | null) =>
    observed(key, atMs, undefined, { witness: 'debugger', navigationKey });
  const observations = [
    navigation('to A', 1000),
    request('script before', 1989, 'to A'),
    request('prefetch', 1990, null),
    navigation('to B', 1992),
    request('script', 1995, 'to B'),
    request('of a document before the debugger', 1996, 'to another'),
    request('late of A', 2004, 'to A'),
    request('early of B', 2004, 'to B'),
    request('of an unknown document', 2005, 'to another'),
  ];
  const owned = (document: ObservedDocument, seen = observations) =>
    keys(ownObservations(document, [before, next], seen));
  expect(owned(before)).toEqual([
    'to A',
    'script before',
    'prefetch',
    'of a document before the debugger',
    'late of A',
  ]);
  expect(owned(next)).toEqual(['to B', 'script', 'early of B', 'of an unknown document']);
  // The navigation to A may be too early to be among the observations.
  expect(owned(next, observations.slice(1, -3))).toEqual(['to B', 'script']);
});

test.each([
  ['navigate', { domContentLoadedMs: 400 }],
  ['back-forward-cache', { documentId: 'A', navigationType: 'back-forward-cache' }],
  ['prerender', { timeOriginMs: 4000 }],
] as const)('a reload that ended in no document takes nothing from the load (%s)', (_, more) => {
  const before = [load('A', 1000), load('B', 3000)];
  const shown = load('shown', 5000, more);
  const asked = { url: shown.url, facts: { type: 'document' }, responseStartedAtMs: 60_100 };
  for (const witness of ['webRequest', 'devtools'] as const) {
    const poll = observed('poll', 20_000, 'frame', { witness, facts: { type: 'fetch' } });
    const reload = observed('reload', 60_000, undefined, { witness, ...asked });
    const owned = ownObservations(shown, [...before, shown], [poll, reload]);
    expect(keys(owned)).toEqual(['poll', 'reload']);
  }
});

test('what a service worker fetches to answer the navigation is of the load', () => {
  const [before, next] = [load('A', 1000), load('B', 2000, { url: 'https://a.example/b' })];
  const navigation = { url: next.url, facts: { type: 'document' }, responseStartedAtMs: 2300 };
  const fetched = { url: next.url, facts: { type: 'fetch' } };
  const evidence = { status: 200, transferSize: 0, fetchedViaServiceWorker: true };
  const seen = [
    observed('to B', 2001, undefined, {
      witness: 'debugger',
      navigationKey: 'to B',
      ...navigation,
    }),
    observed('own', 2005, undefined, {
      witness: 'debugger',
      context: 'service-worker',
      ...fetched,
    }),
    observed('to B, HAR', 2001, undefined, { witness: 'devtools', evidence, ...navigation }),
    observed('own, HAR', 2005, undefined, {
      witness: 'devtools',
      evidence: { ...evidence, fetchedViaServiceWorker: false },
      ...fetched,
    }),
  ];
  expect(keys(ownObservations(next, [before, next], seen))).toEqual(keys(seen));
});

test('while the next document is awaited, the requests are those of the document before', () => {
  const [before, next] = [load('A', 1000), load('B', 2000, { url: 'https://a.example/b' })];
  const seen = (witness: 'devtools' | 'debugger', key: string, atMs: number, more = {}) =>
    observed(key, atMs, undefined, { witness, facts: { type: 'fetch' }, ...more });
  const documentOfB = { facts: { type: 'document' }, responseStartedAtMs: 3500 };
  const address = 'https://a.example/b';
  const byDevtools = [
    seen('devtools', 'to B', 2001, { ...documentOfB, url: address }),
    seen('devtools', 'poll', 2900),
    seen('devtools', 'frame', 3000, { facts: { type: 'document' } }),
    seen('devtools', 'of B', 3510),
  ];
  const redirected = { ...documentOfB, finalUrl: address, navigationKey: 'to B' };
  const byDebugger = [
    seen('debugger', 'to A', 1000, { navigationKey: 'to A' }),
    seen('debugger', 'to B', 2001, redirected),
    seen('debugger', 'poll', 2900, { navigationKey: 'to A' }),
    seen('debugger', 'last poll', 3502, { navigationKey: 'to A' }),
    seen('debugger', 'of B', 3510, { navigationKey: 'to B' }),
    seen('debugger', 'of an empty frame of B', 3520, { navigationKey: 'empty' }),
  ];
  const owned = (document: ObservedDocument, all: Observation[]) =>
    keys(ownObservations(document, [before, next], all));
  expect(owned(before, byDevtools)).toEqual(['poll', 'frame']);
  expect(owned(next, byDevtools)).toEqual(['to B', 'of B']);
  expect(owned(before, byDebugger)).toEqual(['to A', 'poll', 'last poll']);
  expect(owned(next, byDebugger)).toEqual(['to B', 'of B', 'of an empty frame of B']);
  // The store gives a load what its witnesses saw since it began: no navigation to A.
  expect(owned(next, byDebugger.slice(1))).not.toContain('poll');
});

test('while the next document is awaited, a frame that names its own document is of the document before', () => {
  const [before, next] = [load('A', 1000), load('B', 2000, { url: 'https://a.example/b' })];
  const seen = (witness: 'page' | 'webRequest', key: string, atMs: number, documentId: string) =>
    observed(key, atMs, documentId, { witness, facts: { type: 'fetch' } });
  const toB = { url: 'https://a.example/b', facts: { type: 'document' } };
  const navigation = { ...toB.facts, initiatorType: 'navigation' };
  const answered = { facts: navigation, responseStartedAtMs: 3500 };
  const observations = [
    observed('to B, page', 2001, 'B', { witness: 'page', ...toB, ...answered }),
    observed('to B, webRequest', 2001, undefined, toB),
    seen('page', 'by page', 2900, 'frame of A'),
    seen('webRequest', 'by webRequest', 2900, 'frame of A'),
    seen('page', 'of a frame of B, by page', 3600, 'frame of B'),
    seen('webRequest', 'of a frame of B, by webRequest', 3600, 'frame of B'),
  ];
  const owned = (document: ObservedDocument) =>
    keys(ownObservations(document, [before, next], observations));
  expect(owned(before)).toEqual(['by page', 'by webRequest']);
  expect(owned(next)).toEqual([
    'to B, page',
    'to B, webRequest',
    'of a frame of B, by page',
    'of a frame of B, by webRequest',
  ]);
});

test('what the page saw answered earlier, as with early hints or a prefetched document, is answered then', () => {
  const [before, next] = [load('A', 1000), load('B', 2000)];
  const observations = [
    observed('navigation', 2000, 'B', {
      witness: 'page',
      url: next.url,
      facts: { initiatorType: 'navigation' },
      responseStartedAtMs: 2100,
    }),
    observed('to B', 2001, undefined, {
      witness: 'devtools',
      url: next.url,
      facts: { type: 'document' },
      responseStartedAtMs: 3000,
    }),
    observed('of A', 2050, undefined, { witness: 'devtools' }),
    observed('hinted', 2101, undefined, { witness: 'devtools' }),
  ];
  expect(keys(ownObservations(before, [before, next], observations))).toEqual(['of A']);
  expect(keys(ownObservations(next, [before, next], observations))).toEqual([
    'navigation',
    'to B',
    'hinted',
  ]);
});

test('the document of a load is found although the page has replaced its own URL since', () => {
  const url = 'https://a.example/b';
  const [before, next] = [load('A', 1000), load('B', 2000, { url: `${url}/step` })];
  const navigation = observed('navigation', 2000, 'B', {
    witness: 'page',
    url,
    facts: { initiatorType: 'navigation' },
  });
  const ofDevtools = (key: string, atMs: number, more = {}) =>
    observed(key, atMs, undefined, { witness: 'devtools', facts: { type: 'fetch' }, ...more });
  const asked = { url, facts: { type: 'document' } };
  const owned = (document: ObservedDocument, all: Observation[]) =>
    keys(ownObservations(document, [before, next], all));
  // The response is awaited for 1.5 s.
  const slow = [
    navigation,
    ofDevtools('to B', 2001, { ...asked, responseStartedAtMs: 3500 }),
    ofDevtools('poll', 2900),
    ofDevtools('of B', 3510),
  ];
  expect(owned(before, slow)).toEqual(['poll']);
  expect(owned(next, slow)).toEqual(['navigation', 'to B', 'of B']);
  // When it came is unknown.
  const early = [navigation, ofDevtools('poll', 2004), ofDevtools('to B', 2010, asked)];
  expect(owned(before, early)).toEqual(['poll']);
  expect(owned(next, early)).toEqual(['navigation', 'to B']);
});

test('a request that a witness saw before it saw the load’s document asked for is of the document before', () => {
  const [before, next] = [load('A', 1000), load('B', 2000)];
  const ofDevtools = (key: string, atMs: number, type: string, more = {}) =>
    observed(key, atMs, undefined, { witness: 'devtools', facts: { type }, ...more });
  const last = ofDevtools('last of A', 1986, 'fetch');
  const early = ofDevtools('seen early', 1992, 'script');
  const asked = ofDevtools('to B', 1991, 'document', { url: 'https://a.example/' });
  const owned = (document: ObservedDocument, seen: Observation[]) =>
    keys(ownObservations(document, [before, next], seen));
  expect(owned(before, [last, asked, early])).toEqual(['last of A']);
  expect(owned(next, [last, asked, early])).toEqual(['to B', 'seen early']);
  // The clocks differ the other way.
  const late = ofDevtools('last of A', 2004, 'fetch');
  const askedLater = { ...asked, startedAtMs: 2010 };
  expect(owned(before, [late, askedLater])).toEqual(['last of A']);
  expect(owned(next, [late, askedLater])).toEqual(['to B']);
  // The load's own document came over a redirect.
  const hop = { ...asked, url: 'https://a.example/old', redirectsTo: 'https://a.example/' };
  expect(owned(next, [last, hop])).toEqual(['to B']);
  // Without it, the clocks may differ.
  expect(owned(next, [last])).toEqual(['last of A']);
});

test.each([
  ['ended just before the load', 1997, 'document'],
  ['was under way when the load began', 2009, 'document'],
  ['DevTools reports as another request', 1997, 'other'],
] as const)(
  'a prefetch of speculation rules that %s belongs to the document that asked for it',
  (_, endedAtMs, type) => {
    const [before, next] = [load('A', 1000), load('B', 2000)];
    const siblings = [before, next];
    const navigation = (key: string, startedAtMs: number, ended: number) =>
      observed(key, startedAtMs, undefined, { endedAtMs: ended, facts: { type: 'document' } });
    const prefetch = { ...navigation('prefetch', 1987, endedAtMs), facts: { type } };
    const own = navigation('to B', 2011, 2017);
    expect(keys(ownObservations(before, siblings, [prefetch, own]))).toEqual(['prefetch']);
    expect(keys(ownObservations(next, siblings, [prefetch, own]))).toEqual(['to B']);
    // Alone it is the load's own navigation: clocks differ.
    expect(keys(ownObservations(next, siblings, [prefetch]))).toEqual(['prefetch']);
    // A later reload of the load is no sign of a prefetch.
    const reloaded = [...siblings, load('B again', 3000)];
    const again = navigation('again', 3001, 3009);
    expect(keys(ownObservations(next, reloaded, [prefetch, again]))).toEqual(['prefetch']);
  },
);
