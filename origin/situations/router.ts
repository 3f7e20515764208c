import { confirmed, page, text, unstorable, visit } from './page.ts';
import { installs, routed } from './service-worker-script.ts';
import type { ServedFile, Situation } from './situation.ts';

const readsOnce = page(`await read('resource'); await read('over');`);
/** Asked for when the document has the resource: a race for it is over. */
const over = text({ headers: unstorable });
const afterRace = { headers: unstorable, waitsFor: { file: 'over', status: 200 } } as const;
const storeName = 'the-store';
const fillsStore = `await (await caches.open('${storeName}')).add('resource');`;
const routesToStore = routed(`{ cacheName: '${storeName}' }`);
const race = 'race-network-and-fetch-handler';

function routedFiles(worker: ServedFile, fill = '', resource = text({ headers: unstorable })) {
  return { fill: installs(fill), page: readsOnce, worker, resource, over, lost: text(afterRace) };
}
const installed = { steps: [visit('fill'), visit('page')], judged: 'resource' } as const;

/** Static routes of a service worker: the response came past its fetch handler. */
export const router: readonly Situation[] = [
  {
    ...installed,
    name: 'route-network',
    files: routedFiles(routed(`'network'`)),
    truth: { answer: 'network', router: { matched: 'network', actual: 'network' } },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'route-network-from-disk',
    files: routedFiles(routed(`'network'`), `await read('resource');`, text()),
    truth: { answer: 'disk', router: { matched: 'network', actual: 'network' } },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'route-cache-hit',
    files: routedFiles(routesToStore, fillsStore),
    truth: {
      answer: 'service-worker/cache-storage',
      cacheStorageName: storeName,
      router: { matched: 'cache', actual: 'cache' },
    },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'route-cache-miss',
    files: routedFiles(routesToStore),
    truth: { answer: 'network', router: { matched: 'cache', actual: 'network' } },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'route-race-network',
    files: routedFiles(routed(`'${race}'`)),
    truth: { answer: 'network', router: { matched: race, actual: 'network' } },
    atOrigin: [200],
  },
  {
    ...installed,
    name: 'route-race-disk',
    files: routedFiles(routed(`'${race}'`), `await read('resource');`, text()),
    truth: { answer: 'disk', router: { matched: race, actual: 'network' } },
    atOrigin: [],
  },
  {
    ...installed,
    name: 'route-race-revalidated',
    files: routedFiles(
      routed(`'${race}'`),
      `await read('resource');`,
      text({ isConditional: true, headers: confirmed }),
    ),
    truth: { answer: 'revalidated/http-cache', router: { matched: race, actual: 'network' } },
    atOrigin: [304],
  },
  {
    ...installed,
    name: 'route-network-revalidated',
    files: routedFiles(
      routed(`'network'`),
      `await read('resource');`,
      text({ isConditional: true, headers: confirmed }),
    ),
    truth: { answer: 'revalidated/http-cache', router: { matched: 'network', actual: 'network' } },
    atOrigin: [304],
  },
  {
    ...installed,
    name: 'route-race-worker',
    files: routedFiles(
      routed(`'${race}'`, `new Response('made by the worker '.repeat(100))`),
      '',
      text(afterRace),
    ),
    truth: { answer: 'service-worker/synthetic', router: { matched: race, actual: 'fetch-event' } },
    // The network's request may be given up before or after it reaches the origin.
  },
  {
    ...installed,
    name: 'route-to-worker',
    files: routedFiles(routed(`'fetch-event'`, `new Response('made by the worker '.repeat(100))`)),
    truth: {
      answer: 'service-worker/synthetic',
      router: { matched: 'fetch-event', actual: 'fetch-event' },
    },
    atOrigin: [],
  },
];
