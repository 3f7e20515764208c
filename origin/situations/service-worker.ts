import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { disk, memory, network } from './outcomes.ts';
import {
  afterFill,
  confirmed,
  page,
  readsResource,
  runsResource,
  script,
  storable,
  text,
  twiceAfterFill,
  unstorable,
} from './page.ts';
import { fillsStore, handler, installs, storeName, worker } from './service-worker-script.ts';
import { type ServedFile, situation, type Situation, type Truth } from './situation.ts';

const reads = `await read('resource');`;
const fresh = text({ headers: unstorable });
const document = page('', { headers: storable });

const letsPass = worker(`addEventListener('fetch', () => { self.seen = true; });`);
const passesThrough = handler('fetch(event.request)');
const answersFromStore = handler(`caches.match(event.request)`);
const answersDocument = (response: string) =>
  worker(`
        addEventListener('fetch', (event) => {
          if (event.request.mode === 'navigate') event.respondWith(${response});
        });
      `);
/** The browser asks for the document while the service worker starts. */
const preloadsNavigation = worker(`
  addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload.enable()));
  addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate') event.respondWith(event.preloadResponse);
  });
`);
/** With Brotli it is exactly as long as before. */
const asLong = text({ body: 'and so it goes on, line by line, as a resour', coding: 'br' });

/** A use of a resource: the worker, what the document that installs it runs, and what the origin serves. */
const answered = (
  name: string,
  truth: Truth,
  atOrigin: readonly number[],
  [script, fill, resource]: readonly [worker: ServedFile, fill: string, resource: ServedFile],
): Situation =>
  situation(
    `worker-${name}`,
    afterFill,
    { truth, atOrigin },
    { fill: installs(fill), page: readsResource, worker: script, resource },
  );

/** The document itself, which is in the HTTP cache and in the store. */
const documentAnswered = (
  name: string,
  response: string,
  answer: Answer,
  atOrigin: readonly number[] = [],
): Situation =>
  situation(
    `worker-${name}-document`,
    afterFill,
    { truth: { answer }, atOrigin },
    {
      fill: installs(`await (await caches.open('${storeName}')).add('page');`),
      page: document,
      worker: answersDocument(response),
    },
    { judged: 'page' },
  );

/** The document itself, asked for while the service worker starts. By default the first visit stores it for the second. */
const preloaded = (
  name: string,
  answer: Answer,
  atOrigin: readonly number[],
  page: ServedFile,
  steps = twiceAfterFill,
): Situation =>
  situation(
    `worker-navigation-preload-${name}`,
    steps,
    { truth: { answer }, atOrigin },
    { fill: installs(), page, worker: preloadsNavigation },
    { judged: 'page' },
  );

const fromNetwork = { answer: 'service-worker/network' } as const;
const fromCache = { answer: 'service-worker/http-cache' } as const;
const fromStore = { answer: 'service-worker/cache-storage', cacheStorageName: storeName } as const;
const coded = { coding: 'br' } as const;

const documents: readonly Situation[] = [
  answered(
    'lets-pass-body-as-long-coded',
    { answer: 'disk', ...coded },
    [],
    [letsPass, reads, asLong],
  ),
  answered(
    'passes-body-as-long-coded',
    { ...fromCache, ...coded },
    [],
    [passesThrough, reads, asLong],
  ),
  preloaded('network', 'service-worker/network', [200], page(''), afterFill),
  preloaded('http-cache', 'service-worker/http-cache', [], document),
  preloaded('revalidated', 'service-worker/revalidated', [304], {
    ...page('', { headers: confirmed }),
    isConditional: true,
  }),
  documentAnswered(
    'network',
    `fetch(event.request, { cache: 'reload' })`,
    'service-worker/network',
    [200],
  ),
  documentAnswered('http-cache', 'fetch(event.request)', 'service-worker/http-cache'),
  documentAnswered('cache-storage', 'caches.match(event.request)', 'service-worker/cache-storage'),
  documentAnswered(
    'synthetic',
    `new Response('<!doctype html><script>fetch("done", { method: "POST" })</script>',
      { headers: { 'content-type': 'text/html' } })`,
    'service-worker/synthetic',
  ),
  situation(
    'worker-lets-pass-document',
    // The HTTP cache keeps navigations of another initiator apart, so the same one fills it.
    twiceAfterFill,
    disk,
    { fill: installs(), page: document, worker: letsPass },
    { judged: 'page' },
  ),
];

/** The fetch handler of a service worker answers, or lets the request pass. */
export const serviceWorker: readonly Situation[] = [
  answered('network', fromNetwork, [200], [passesThrough, '', fresh]),
  answered('http-cache', fromCache, [], [passesThrough, reads, text()]),
  answered(
    'revalidated',
    { answer: 'service-worker/revalidated' },
    [304],
    [passesThrough, reads, text({ isConditional: true, headers: confirmed })],
  ),
  answered('cache-storage', fromStore, [], [answersFromStore, fillsStore, fresh]),
  answered(
    'synthetic',
    { answer: 'service-worker/synthetic' },
    [],
    [handler(`new Response('made by the worker '.repeat(100))`), '', text()],
  ),
  answered('lets-pass-to-network', network.truth, [200], [letsPass, '', fresh]),
  answered('lets-pass-to-disk', disk.truth, [], [letsPass, reads, text()]),
  answered(
    'lets-pass-to-disk-brotli',
    { ...disk.truth, ...coded },
    [],
    [letsPass, reads, text(coded)],
  ),
  answered(
    'http-cache-brotli',
    { ...fromCache, ...coded },
    [],
    [passesThrough, reads, text(coded)],
  ),
  answered(
    'cache-storage-brotli',
    fromStore,
    [],
    [answersFromStore, fillsStore, text({ headers: unstorable, ...coded })],
  ),
  ...documents,
  situation(
    'worker-network-cross-origin',
    afterFill,
    { truth: fromNetwork, atOrigin: [200] },
    {
      fill: installs(),
      page: page(`await script(elsewhere + 'resource');`),
      worker: passesThrough,
      resource: script({ headers: { ...unstorable, 'timing-allow-origin': '*' } }),
    },
  ),
  answered(
    'network-brotli',
    { ...fromNetwork, ...coded },
    [200],
    [passesThrough, '', text({ headers: unstorable, ...coded })],
  ),
  situation('worker-cache-storage-then-memory', twiceAfterFill, memory, {
    fill: installs(fillsStore),
    page: runsResource,
    worker: answersFromStore,
    resource: script(),
  }),
];
