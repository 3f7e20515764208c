import { expect, test } from 'vitest';
import { har, network, seen, webRequest } from '../fixtures/cache-source.ts';
import { withoutBrowserRequests } from './browser-request.ts';
import { withoutParents } from './frame-document.ts';
import type { Observation } from './observation.ts';
import { namePageWorkers, nameWorkerFetches, nameWorkerRedirects } from './worker-fetch.ts';

const common = {
  tabId: 7,
  url: 'http://127.0.0.1/it',
  startedAtMs: 100,
  endedAtMs: 120,
  context: 'unknown' as const,
  facts: {},
};
const page = (key: string, more: Partial<Observation> = {}, evidence = seen()) =>
  ({ ...common, key, witness: 'page', evidence, ...more }) as Observation;
const asked = (key: string, more: Partial<Observation>, evidence = webRequest()) =>
  ({ ...common, key, witness: 'webRequest', evidence, ...more }) as Observation;
const entry = (key: string, more: Partial<Observation>, evidence = har()) =>
  ({ ...common, key, witness: 'devtools', evidence, ...more }) as Observation;
const keys = (list: readonly Observation[]) => list.map(({ key }) => key);

test('a lookup of a font, or of what DevTools shows, is not a use; a page’s own miss is one', () => {
  const missed = webRequest({ statusCode: 0, error: 'net::ERR_CACHE_MISS' });
  const list = [
    asked('lookup', { facts: { type: 'font' } }, missed),
    asked('font', { facts: { type: 'font' } }),
    asked('shown by DevTools', { facts: { type: 'other' } }, missed),
    asked('fetch', { facts: { type: 'fetch' } }, missed),
  ];
  expect(keys(withoutBrowserRequests(list))).toEqual(['font', 'fetch']);
});

test('the error page that replaces a frame is not a second use of the frame; another frame of its URL is one', () => {
  const failed = (transferSize: number) =>
    har({ status: 0, error: 'net::ERR_EMPTY_RESPONSE', transferSize });
  const facts = { type: 'document' as const };
  const list = [
    entry('frame', { facts }, failed(0)),
    entry('another', { facts, startedAtMs: 118, endedAtMs: 268 }, failed(0)),
    entry('at the same time', { facts, startedAtMs: 118, endedAtMs: 270 }, failed(0)),
    entry('error page', { facts, endedAtMs: 300 }, failed(250_596)),
    entry('another error page', { facts, startedAtMs: 118, endedAtMs: 354 }, failed(250_596)),
    entry('one more error page', { facts, startedAtMs: 118, endedAtMs: 360 }, failed(250_596)),
    entry('other', { facts, url: 'http://127.0.0.1/other', endedAtMs: 400 }, failed(250_596)),
  ];
  expect(keys(withoutBrowserRequests(list))).toEqual([
    'frame',
    'another',
    'at the same time',
    'other',
  ]);
});

test.each(['iframe', 'embed', 'object'])(
  '%s: the frame’s own document replaces its parent’s entry',
  (initiatorType) => {
    const own = page('own', { context: 'frame', facts: { initiatorType: 'navigation' } });
    const parent = page('parent', { startedAtMs: 90, facts: { initiatorType } });
    expect(keys(withoutParents([own, parent]))).toEqual(['own']);
  },
);

test('the document of a redirected frame replaces the parent’s entry of the URL that redirects', () => {
  const own = page('own', { context: 'frame', facts: { initiatorType: 'navigation' } });
  const parent = page('parent', { url: 'http://moved/', facts: { initiatorType: 'iframe' } });
  const request = asked('request', { url: parent.url, finalUrl: own.url });
  expect(keys(withoutParents([own, parent, request]))).toEqual(['own', 'request']);
  expect(keys(withoutParents([own, parent]))).toEqual(['own', 'parent']);
});

test('chrome.webRequest’s request for the target of a service worker’s redirect is that of the page', () => {
  const use = page('page', {}, { ...seen(), hasServiceWorker: true });
  const followed = entry('followed', { finalUrl: 'http://target/' });
  const target = asked('target', { url: 'http://target/', startedAtMs: followed.startedAtMs });
  const urlsOf = (list: Observation[]) =>
    nameWorkerRedirects(list).flatMap(({ key, url }) => (key === 'target' ? [url] : []));
  expect(urlsOf([use, followed, target])).toEqual([followed.url]);
  const own = { ...target, key: 'own', url: followed.url };
  expect(urlsOf([use, followed, target, own])).toEqual(['http://target/']);
});

test('a parent’s entry that begins long after the navigation is still the frame’s; an earlier load of it is not', () => {
  const facts = { initiatorType: 'navigation' };
  const own = page('own', { context: 'frame', facts, endedAtMs: 900 });
  const inside = page('parent', {
    startedAtMs: 800,
    endedAtMs: 950,
    facts: { initiatorType: 'iframe' },
  });
  const earlier = { ...inside, key: 'earlier', startedAtMs: -400, endedAtMs: -200 };
  expect(keys(withoutParents([own, inside, earlier]))).toEqual(['own', 'earlier']);
});

test('requests without a tab are those of page workers if no service worker controls a document', () => {
  const shared = asked('shared', { tabId: -1, context: 'service-worker' });
  const contexts = (controlled: boolean) =>
    namePageWorkers([
      page('page', {}, { ...seen(), hasServiceWorker: controlled }),
      shared,
      { ...shared, url: shared.url + '?', witness: 'debugger', evidence: network() },
    ]).map(({ context }) => context);
  expect(contexts(false)).toEqual(['unknown', 'worker', 'service-worker']);
  expect(contexts(true)).toEqual(['unknown', 'service-worker', 'service-worker']);
});

test('the script of a registration is one use, whether a service worker controls a document or not', () => {
  const known = (isControlled: boolean) =>
    page('page', {}, { ...seen(), hasServiceWorker: isControlled });
  const url = 'http://127.0.0.1/worker';
  const script = asked('script', { url, tabId: -1, context: 'service-worker' });
  const ofWorker = { ...script, witness: 'debugger' as const, evidence: network() };
  const contexts = (list: Observation[]) => list.map(({ context }) => context);
  expect(contexts(namePageWorkers([known(false), script, ofWorker]))).toEqual([
    'unknown',
    'service-worker',
    'service-worker',
  ]);

  expect(contexts(nameWorkerFetches([known(true), script, entry('of DevTools', { url })]))).toEqual(
    ['unknown', 'service-worker', 'service-worker'],
  );
});

test('the losing entry of a race is a fetch of the service worker', () => {
  const race = har({
    fetchedViaServiceWorker: true,
    routerMatched: 'race-network-and-fetch-handler',
    routerActual: 'network',
  });
  const list = [page('page'), entry('won', {}, race), entry('lost', { startedAtMs: 400 }, race)];
  expect(nameWorkerFetches(list).map(({ context }) => context)).toEqual([
    'unknown',
    'unknown',
    'service-worker',
  ]);
});
