import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { confirmed, page, script, storable, text, unstorable, visit } from './page.ts';
import { handler, installs, worker } from './service-worker-script.ts';
import type { Situation } from './situation.ts';

const readsOnce = page(`await read('resource');`);
const letsPass = worker(`addEventListener('fetch', () => { self.seen = true; });`);
const passesThrough = handler('fetch(event.request)');
const installed = { steps: [visit('fill'), visit('page')], judged: 'resource' } as const;
const storeName = 'the-store';
const fillsStore = `await (await caches.open('${storeName}')).add('resource');`;
const answersFromStore = handler(`caches.match(event.request)`);

function workerDocument(
  name: string,
  response: string,
  answer: Answer,
  more: Partial<Situation> = {},
): Situation {
  return {
    ...installed,
    name: `worker-${name}-document`,
    files: {
      fill: installs(`await (await caches.open('${storeName}')).add('page');`),
      page: page('', { headers: storable }),
      worker: worker(`
        addEventListener('fetch', (event) => {
          if (event.request.mode === 'navigate') event.respondWith(${response});
        });
      `),
    },
    judged: 'page',
    truth: { answer },
    atOrigin: [],
    ...more,
  };
}

/** The browser asks for the document while the service worker starts. */
const preloadsNavigation = worker(`
  addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload.enable()));
  addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate') event.respondWith(event.preloadResponse);
  });
`);
/** With Brotli it is exactly as long as before. */
const asLong = text({ body: 'and so it goes on, line by line, as a resour', coding: 'br' });

const exactlyAsLong = [
  { name: 'lets-pass', worker: letsPass, answer: 'disk' },
  { name: 'passes', worker: passesThrough, answer: 'service-worker/http-cache' },
] as const;

const workerDocuments: readonly Situation[] = [
  ...exactlyAsLong.map((each): Situation => ({
    ...installed,
    name: `worker-${each.name}-body-as-long-coded`,
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: each.worker,
      resource: asLong,
    },
    truth: { answer: each.answer, coding: 'br' },
    atOrigin: [],
  })),
  {
    ...installed,
    name: 'worker-navigation-preload-network',
    files: { fill: installs(), page: page(''), worker: preloadsNavigation },
    judged: 'page',
    truth: { answer: 'service-worker/network' },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'worker-navigation-preload-http-cache',
    files: { fill: installs(), page: page('', { headers: storable }), worker: preloadsNavigation },
    steps: [visit('fill'), visit('page'), visit('page')],
    judged: 'page',
    truth: { answer: 'service-worker/http-cache' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-navigation-preload-revalidated',
    files: {
      fill: installs(),
      page: { ...page('', { headers: confirmed }), isConditional: true },
      worker: preloadsNavigation,
    },
    steps: [visit('fill'), visit('page'), visit('page')],
    judged: 'page',
    truth: { answer: 'service-worker/revalidated' },
    atOrigin: [304],
  },
  workerDocument('network', `fetch(event.request, { cache: 'reload' })`, 'service-worker/network', {
    atOrigin: [200],
  }),
  workerDocument('http-cache', 'fetch(event.request)', 'service-worker/http-cache'),
  workerDocument('cache-storage', 'caches.match(event.request)', 'service-worker/cache-storage'),
  workerDocument(
    'synthetic',
    `new Response('<!doctype html><script>fetch("done", { method: "POST" })</script>',
      { headers: { 'content-type': 'text/html' } })`,
    'service-worker/synthetic',
  ),
  {
    ...workerDocument('lets-pass', 'self.nothing', 'disk'),
    files: {
      fill: installs(),
      page: page('', { headers: storable }),
      worker: letsPass,
    },
    // The HTTP cache keeps navigations of another initiator apart, so the same one fills it.
    steps: [visit('fill'), visit('page'), visit('page')],
  },
];

/** The fetch handler of a service worker answers, or lets the request pass. */
export const serviceWorker: readonly Situation[] = [
  {
    ...installed,
    name: 'worker-network',
    files: {
      fill: installs(),
      page: readsOnce,
      worker: passesThrough,
      resource: text({ headers: unstorable }),
    },
    truth: { answer: 'service-worker/network' },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'worker-http-cache',
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: passesThrough,
      resource: text(),
    },
    truth: { answer: 'service-worker/http-cache' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-revalidated',
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: passesThrough,
      resource: text({ isConditional: true, headers: confirmed }),
    },
    truth: { answer: 'service-worker/revalidated' },
    atOrigin: [304],
  },
  {
    ...installed,
    name: 'worker-cache-storage',
    files: {
      fill: installs(fillsStore),
      page: readsOnce,
      worker: answersFromStore,
      resource: text({ headers: unstorable }),
    },
    truth: { answer: 'service-worker/cache-storage', cacheStorageName: storeName },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-synthetic',
    files: {
      fill: installs(),
      page: readsOnce,
      worker: handler(`new Response('made by the worker '.repeat(100))`),
      resource: text(),
    },
    truth: { answer: 'service-worker/synthetic' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-lets-pass-to-network',
    files: {
      fill: installs(),
      page: readsOnce,
      worker: letsPass,
      resource: text({ headers: unstorable }),
    },
    truth: { answer: 'network' },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'worker-lets-pass-to-disk',
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: letsPass,
      resource: text(),
    },
    truth: { answer: 'disk' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-lets-pass-to-disk-brotli',
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: letsPass,
      resource: text({ coding: 'br' }),
    },
    truth: { answer: 'disk', coding: 'br' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-http-cache-brotli',
    files: {
      fill: installs(`await read('resource');`),
      page: readsOnce,
      worker: passesThrough,
      resource: text({ coding: 'br' }),
    },
    truth: { answer: 'service-worker/http-cache', coding: 'br' },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'worker-cache-storage-brotli',
    files: {
      fill: installs(fillsStore),
      page: readsOnce,
      worker: answersFromStore,
      resource: text({ headers: unstorable, coding: 'br' }),
    },
    truth: { answer: 'service-worker/cache-storage', cacheStorageName: storeName },
    atOrigin: [],
  },
  ...workerDocuments,
  {
    ...installed,
    name: 'worker-network-cross-origin',
    files: {
      fill: installs(),
      page: page(`await script(elsewhere + 'resource');`),
      worker: passesThrough,
      resource: script({ headers: { ...unstorable, 'timing-allow-origin': '*' } }),
    },
    truth: { answer: 'service-worker/network' },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'worker-network-brotli',
    files: {
      fill: installs(),
      page: readsOnce,
      worker: passesThrough,
      resource: text({ headers: unstorable, coding: 'br' }),
    },
    truth: { answer: 'service-worker/network', coding: 'br' },
    atOrigin: [200],
  },
  {
    name: 'worker-cache-storage-then-memory',
    files: {
      fill: installs(fillsStore),
      page: page(`await script('resource');`),
      worker: answersFromStore,
      resource: script(),
    },
    steps: [visit('fill'), visit('page'), visit('page')],
    judged: 'resource',
    truth: { answer: 'memory' },
    atOrigin: [],
  },
];
