import { disk, network, revalidated } from './outcomes.ts';
import { afterFill, confirmed, once, page, storable, thenInNewTab, unstorable } from './page.ts';
import { type Kind, kinds } from './kinds.ts';
import { controls, storeName, worker } from './service-worker-script.ts';
import type { Outcome, ServedFile, Situation } from './situation.ts';

const all = Object.entries(kinds);

interface State extends Outcome {
  steps: Situation['steps'];
  /** What every resource is served with. */
  more: Partial<ServedFile>;
  /** Kinds that have this state; default all. */
  has?: (kind: Kind, name: string) => boolean;
  /** Where the resource is, as an expression; default beside the document. */
  place?: string;
  /** What the document runs before all. */
  before?: string;
  files?: Situation['files'];
}

const shared = { 'access-control-allow-origin': '*' } as const;
const timed = { ...shared, 'timing-allow-origin': '*' } as const;
const elsewhere = {
  place: 'elsewhere',
  has: ({ isSameOrigin }: Kind) => !isSameOrigin,
} as const;
/** The fetch handler answers all but what the document itself needs. */
const answering = (response: string) =>
  worker(`
    const isOurs = ({ url }) => !/\\/(page|fill|done)$/.test(url);
    addEventListener('fetch', (event) => {
      if (isOurs(event.request)) event.respondWith(${response});
    });
  `);

/** What can become of a request, whatever its kind. */
const states: Readonly<Record<string, State>> = {
  network: { ...network, steps: once, more: { headers: unstorable } },
  disk: { ...disk, steps: thenInNewTab, more: {} },
  revalidated: {
    ...revalidated,
    steps: thenInNewTab,
    more: { headers: confirmed, isConditional: true },
  },
  'hidden-network': {
    ...elsewhere,
    ...network,
    steps: once,
    more: { headers: { ...unstorable, ...shared } },
  },
  'timed-disk': {
    ...elsewhere,
    ...disk,
    steps: thenInNewTab,
    more: { headers: { ...storable, ...timed } },
  },
  'blocked-by-csp': {
    truth: { answer: 'blocked' },
    steps: once,
    more: {},
    before: `document.head.append(Object.assign(document.createElement('meta'), {
      httpEquiv: 'Content-Security-Policy',
      content: "default-src 'unsafe-inline'; connect-src " + here + 'done',
    }));`,
    atOrigin: [],
  },
  failed: { truth: { answer: 'failed' }, steps: once, more: { cutAfterBytes: 0 } },
  'worker-network': {
    truth: { answer: 'service-worker/network' },
    steps: afterFill,
    more: { headers: unstorable },
    files: { fill: page(controls), worker: answering('fetch(event.request)') },
    atOrigin: [200],
  },
  'worker-store': {
    truth: { answer: 'service-worker/cache-storage', cacheStorageName: storeName },
    steps: afterFill,
    more: { headers: unstorable },
    files: {
      fill: page(`
        await (await caches.open('${storeName}')).addAll(${JSON.stringify(Object.keys(kinds))});
        ${controls}`),
      worker: answering('caches.match(event.request.url)'),
    },
    atOrigin: [],
  },
};

/** Every kind of request in every state: one scene for each state. */
export const kindStates: readonly Situation[] = Object.entries(states).flatMap(([name, state]) => {
  const { steps, more, has = () => true, place = 'here', before = '', files, ...outcome } = state;
  const own = all.filter(([kindName, kind]) => has(kind, kindName));
  const runs = own.map(([kind, { run }]) => run(`(${place} + '${kind}')`));
  const scene = {
    scene: `kinds-${name}`,
    steps,
    files: {
      ...Object.fromEntries(own.map(([kind, { file }]) => [kind, file(more)])),
      ...files,
      page: page([before, ...runs].join('\n')),
    },
  };
  return own.map(([kind]): Situation => ({
    ...outcome,
    ...scene,
    name: `${kind}-${name}`,
    judged: kind,
  }));
});
