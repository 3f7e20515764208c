import type { Answer } from '@cachescope/model/attribution/answer.ts';
import {
  type Files,
  conditional,
  fresh,
  ofDocument,
  outcome,
  page,
  readsResource,
  runs,
  script,
  situation,
  type Steps,
  storable,
  text,
  unstorable,
} from './page.ts';
import { fillsStore, handler, installs, storeName, worker } from './service-worker-script.ts';
import type { ServedFile, Situation, Truth } from './situation.ts';

const coded = { coding: 'br' } as const;
const reads = `await read('resource');`;
const document = page('', { headers: storable });

const letsPass = worker(`addEventListener('fetch', () => { self.seen = true; });`);
const passesThrough = handler('fetch(event.request)');
const answersFromStore = handler(`caches.match(event.request)`);
const answersDocument = (response: string, more = '') =>
  worker(`${more}
        addEventListener('fetch', (event) => {
          if (event.request.mode === 'navigate') event.respondWith(${response});
        });
      `);
/** The browser asks for the document while the service worker starts. */
const preloadsNavigation = answersDocument(
  'event.preloadResponse',
  `
  addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload.enable()));`,
);
/** With Brotli it is exactly as long as before. */
const asLong = text({ body: 'and so it goes on, line by line, as a resour', ...coded });

/** A use of a resource: the worker, what the document that installs it runs, and what the origin serves. */
const answered = (
  name: string,
  truth: Answer | Truth,
  atOrigin: readonly number[],
  script: ServedFile,
  fill: string,
  resource: ServedFile,
): Situation =>
  situation(`worker-${name}`, 'afterFill', outcome(truth, atOrigin), {
    fill: installs(fill),
    page: readsResource,
    worker: script,
    resource,
  });

/** The document itself is judged. */
const documentAnswered = (
  name: string,
  answer: Answer,
  atOrigin: readonly number[],
  steps: Steps,
  files: Files,
): Situation => situation(`worker-${name}`, steps, ofDocument(outcome(answer, atOrigin)), files);

/** The document is in the HTTP cache and in the store. */
const documentIn = (
  name: string,
  response: string,
  answer: Answer,
  atOrigin: readonly number[] = [],
): Situation =>
  documentAnswered(`${name}-document`, answer, atOrigin, 'afterFill', {
    fill: installs(`await (await caches.open('${storeName}')).add('page');`),
    page: document,
    worker: answersDocument(response),
  });

/** The document is asked for while the service worker starts. By default the first visit stores it for the second. */
const preloaded = (
  name: string,
  answer: Answer,
  atOrigin: readonly number[],
  page: ServedFile,
  steps: Steps = 'twiceAfterFill',
): Situation =>
  documentAnswered(`navigation-preload-${name}`, answer, atOrigin, steps, {
    fill: installs(),
    page,
    worker: preloadsNavigation,
  });

const fromNetwork = 'service-worker/network';
const fromCache = 'service-worker/http-cache';
const fromRevalidation = 'service-worker/revalidated';
const fromStore = { answer: 'service-worker/cache-storage', cacheStorageName: storeName } as const;
const fromWorker = 'service-worker/synthetic';
const codedCache = { answer: fromCache, ...coded } as const;
const codedDisk = { answer: 'disk', ...coded } as const;

/** The fetch handler of a service worker answers, or lets the request pass. */
export const serviceWorker: readonly Situation[] = [
  answered('network', fromNetwork, [200], passesThrough, '', text(fresh)),
  answered('http-cache', fromCache, [], passesThrough, reads, text()),
  answered('revalidated', fromRevalidation, [304], passesThrough, reads, text(conditional)),
  answered('cache-storage', fromStore, [], answersFromStore, fillsStore, text(fresh)),
  answered(
    'synthetic',
    fromWorker,
    [],
    handler(`new Response('made by the worker '.repeat(100))`),
    '',
    text(),
  ),
  answered('lets-pass-to-network', 'network', [200], letsPass, '', text(fresh)),
  answered('lets-pass-to-disk', 'disk', [], letsPass, reads, text()),
  answered('lets-pass-to-disk-brotli', codedDisk, [], letsPass, reads, text(coded)),
  answered('http-cache-brotli', codedCache, [], passesThrough, reads, text(coded)),
  answered(
    'cache-storage-brotli',
    fromStore,
    [],
    answersFromStore,
    fillsStore,
    text({ ...fresh, ...coded }),
  ),
  answered('lets-pass-body-as-long-coded', codedDisk, [], letsPass, reads, asLong),
  answered('passes-body-as-long-coded', codedCache, [], passesThrough, reads, asLong),
  preloaded('network', fromNetwork, [200], page(''), 'afterFill'),
  preloaded('http-cache', fromCache, [], document),
  preloaded('revalidated', fromRevalidation, [304], page('', conditional)),
  documentIn('network', `fetch(event.request, { cache: 'reload' })`, fromNetwork, [200]),
  documentIn('http-cache', 'fetch(event.request)', fromCache),
  documentIn('cache-storage', 'caches.match(event.request)', fromStore.answer),
  documentIn(
    'synthetic',
    `new Response('<!doctype html><script>fetch("done", { method: "POST" })</script>',
      { headers: { 'content-type': 'text/html' } })`,
    fromWorker,
  ),
  // The HTTP cache keeps navigations of another initiator apart, so the same one fills it.
  documentAnswered('lets-pass-document', 'disk', [], 'twiceAfterFill', {
    fill: installs(),
    page: document,
    worker: letsPass,
  }),
  situation('worker-network-cross-origin', 'afterFill', outcome(fromNetwork, [200]), {
    fill: installs(),
    page: `await script(elsewhere + 'resource');`,
    worker: passesThrough,
    resource: script({ headers: { ...unstorable, 'timing-allow-origin': '*' } }),
  }),
  answered(
    'network-brotli',
    { answer: fromNetwork, ...coded },
    [200],
    passesThrough,
    '',
    text({ ...fresh, ...coded }),
  ),
  situation('worker-cache-storage-then-memory', 'twiceAfterFill', 'memory', {
    fill: installs(fillsStore),
    ...runs(),
    worker: answersFromStore,
  }),
];
