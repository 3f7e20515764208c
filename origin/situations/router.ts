import { afterFill, confirmed, page, text, unstorable } from './page.ts';
import { fillsStore, installs, routed, storeName } from './service-worker-script.ts';
import { situation, type ServedFile, type Situation, type Truth } from './situation.ts';

const document = page(`await read('resource'); await read('over');`);
/** Asked for when the document has the resource: a race for it is over. */
const over = text({ headers: unstorable });
const afterRace = { headers: unstorable, waitsFor: { file: 'over', status: 200 } } as const;
const lost = text(afterRace);
const toNetwork = routed(`'network'`);
const toStore = routed(`{ cacheName: '${storeName}' }`);
const race = 'race-network-and-fetch-handler';
const races = routed(`'${race}'`);
const synthetic = `new Response('made by the worker '.repeat(100))`;
const reads = `await read('resource');`;
const fresh = text({ headers: unstorable });
const conditional = text({ isConditional: true, headers: confirmed });

/** What the page installs, what it has done before, and what the origin serves. */
interface Routed {
  worker: ServedFile;
  fill?: string;
  resource?: ServedFile;
}

function route(
  name: string,
  truth: Pick<Truth, 'answer' | 'cacheStorageName'>,
  [matched, actual]: readonly [matched: string, actual: string],
  { worker, fill = '', resource = fresh }: Routed,
  atOrigin?: readonly number[],
): Situation {
  return situation(
    `route-${name}`,
    afterFill,
    { truth: { ...truth, router: { matched, actual } }, ...(atOrigin && { atOrigin }) },
    { fill: installs(fill), page: document, worker, resource, over, lost },
  );
}
const network = { answer: 'network' } as const;
const disk = { answer: 'disk' } as const;
const revalidated = { answer: 'revalidated/http-cache' } as const;
const worker = { answer: 'service-worker/synthetic' } as const;
const store = { answer: 'service-worker/cache-storage', cacheStorageName: storeName } as const;

/** Static routes of a service worker: the response came past its fetch handler. */
export const router: readonly Situation[] = [
  route('network', network, ['network', 'network'], { worker: toNetwork }, [200]),
  route(
    'network-from-disk',
    disk,
    ['network', 'network'],
    { worker: toNetwork, fill: reads, resource: text() },
    [],
  ),
  route('cache-hit', store, ['cache', 'cache'], { worker: toStore, fill: fillsStore }, []),
  route('cache-miss', network, ['cache', 'network'], { worker: toStore }, [200]),
  route('race-network', network, [race, 'network'], { worker: races }, [200]),
  route('race-disk', disk, [race, 'network'], { worker: races, fill: reads, resource: text() }, []),
  route(
    'race-revalidated',
    revalidated,
    [race, 'network'],
    { worker: races, fill: reads, resource: conditional },
    [304],
  ),
  route(
    'network-revalidated',
    revalidated,
    ['network', 'network'],
    { worker: toNetwork, fill: reads, resource: conditional },
    [304],
  ),
  // The network's request may be given up before or after it reaches the origin.
  route('race-worker', worker, [race, 'fetch-event'], {
    worker: routed(`'${race}'`, synthetic),
    resource: lost,
  }),
  route(
    'to-worker',
    worker,
    ['fetch-event', 'fetch-event'],
    { worker: routed(`'fetch-event'`, synthetic) },
    [],
  ),
];
