import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { conditional, fresh, situation, text, truthOf, waitsFor } from './page.ts';
import { fillsStore, installs, routed, storeName } from './service-worker-script.ts';
import type { ServedFile, Situation, Truth } from './situation.ts';

const toNetwork = routed(`'network'`);
const toStore = routed(`{ cacheName: '${storeName}' }`);
const race = 'race-network-and-fetch-handler';
const races = routed(`'${race}'`);
const synthetic = `new Response('made by the worker '.repeat(100))`;
const reads = `await read('resource');`;
/** Served once the document has the resource: a race for it is over. */
const lost = waitsFor('over');

/** What the page installs, what it has done before, and what the origin serves. */
type Routed = [worker: ServedFile, fill?: string, resource?: ServedFile];

function route(
  name: string,
  truth: Answer | Truth,
  [matched, actual]: readonly [matched: string, actual: string],
  [worker, fill = '', resource = text(fresh)]: Routed,
  atOrigin?: readonly number[],
): Situation {
  const came = {
    truth: { ...truthOf(truth), router: { matched, actual } },
    ...(atOrigin && { atOrigin }),
  };
  return situation(`route-${name}`, 'afterFill', came, {
    fill: installs(fill),
    page: `await read('resource'); await read('over');`,
    worker,
    resource,
    over: text(fresh),
    lost,
  });
}
const plain = ['network', 'network'] as const;
const raced = [race, 'network'] as const;
const byWorker = 'service-worker/synthetic';
const fromStore = { answer: 'service-worker/cache-storage', cacheStorageName: storeName } as const;

/** Static routes of a service worker: the response came past its fetch handler. */
export const router: readonly Situation[] = [
  route('network', 'network', plain, [toNetwork], [200]),
  route('network-from-disk', 'disk', plain, [toNetwork, reads, text()], []),
  route('cache-hit', fromStore, ['cache', 'cache'], [toStore, fillsStore], []),
  route('cache-miss', 'network', ['cache', 'network'], [toStore], [200]),
  route('race-network', 'network', raced, [races], [200]),
  route('race-disk', 'disk', raced, [races, reads, text()], []),
  route(
    'race-revalidated',
    'revalidated/http-cache',
    raced,
    [races, reads, text(conditional)],
    [304],
  ),
  route(
    'network-revalidated',
    'revalidated/http-cache',
    plain,
    [toNetwork, reads, text(conditional)],
    [304],
  ),
  // The network's request may be given up before or after it reaches the origin.
  route('race-worker', byWorker, [race, 'fetch-event'], [routed(`'${race}'`, synthetic), '', lost]),
  route(
    'to-worker',
    byWorker,
    ['fetch-event', 'fetch-event'],
    [routed(`'fetch-event'`, synthetic)],
    [],
  ),
];
