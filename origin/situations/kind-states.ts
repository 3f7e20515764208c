import { kinds } from './kinds.ts';
import {
  conditional,
  fresh,
  image,
  outcome,
  page,
  revalidated,
  sameDocument,
  shared,
  stepsOf,
  type Steps,
  storable,
  text,
  timed,
  unstorable,
} from './page.ts';
import { controls, storeName, worker } from './service-worker-script.ts';
import type { Outcome, ServedFile, Situation } from './situation.ts';

const all = Object.entries(kinds);

interface State extends Outcome {
  steps: Steps;
  /** What every resource is served with. */
  more: Partial<ServedFile>;
  /** The resource is asked for under another URL, which redirects to it with this status and these headers. */
  movedBy?: Pick<ServedFile, 'status' | 'headers'>;
  /** The resource is on another site, as far as its kind allows it; absent: beside the document. */
  isElsewhere?: true;
  /** What the document runs before all. */
  before?: string;
  files?: Situation['files'];
}

/** The file that a redirect leads to. */
const targetOf = (kind: string) => `${kind}-moved`;
/** The fetch handler answers all but what the document itself needs. */
const answering = (response: string) =>
  worker(`
    const isOurs = ({ url }) => !/\\/(page|fill|done)$|-moved$/.test(url);
    addEventListener('fetch', (event) => {
      if (isOurs(event.request)) event.respondWith(${response});
    });
  `);

/** What can become of a request, whatever its kind. */
const states: Readonly<Record<string, State>> = {
  network: { ...outcome('network'), steps: 'once', more: fresh },
  disk: { ...outcome('disk'), steps: 'thenInNewTab', more: {} },
  revalidated: { ...revalidated, steps: 'thenInNewTab', more: conditional },
  'hidden-network': {
    ...outcome('network'),
    isElsewhere: true,
    steps: 'once',
    more: { headers: { ...unstorable, ...shared } },
  },
  'timed-disk': {
    ...outcome('disk'),
    isElsewhere: true,
    steps: 'thenInNewTab',
    more: { headers: { ...storable, ...timed } },
  },
  'blocked-by-csp': {
    ...outcome('blocked', []),
    steps: 'once',
    more: {},
    before: `document.head.append(Object.assign(document.createElement('meta'), {
      httpEquiv: 'Content-Security-Policy',
      content: "default-src 'unsafe-inline'; connect-src " + here + 'done',
    }));`,
  },
  failed: { truth: { answer: 'failed' }, steps: 'once', more: { cutAfterBytes: 0 } },
  moved: {
    ...outcome('network', [200]),
    steps: 'once',
    more: fresh,
    movedBy: { status: 302, headers: unstorable },
  },
  'moved-on-disk': {
    ...outcome('disk'),
    steps: 'thenInNewTab',
    more: {},
    movedBy: { status: 301, headers: storable },
  },
  'worker-moves': {
    ...outcome('network', [200]),
    steps: 'afterFill',
    more: fresh,
    movedBy: { status: 500 },
    files: {
      fill: page(controls),
      worker: answering(`Response.redirect(event.request.url + '-moved')`),
    },
  },
  'worker-lets-pass': {
    ...outcome('network', [200]),
    steps: 'afterFill',
    more: fresh,
    files: { fill: page(controls), worker: worker(`addEventListener('fetch', () => {});`) },
  },
  'worker-http-cache': {
    ...outcome('service-worker/http-cache', []),
    steps: 'afterFill',
    more: {},
    files: {
      fill: page(`
        await Promise.all(${JSON.stringify(Object.keys(kinds))}.map((kind) => read(kind)));
        ${controls}`),
      worker: answering('fetch(event.request)'),
    },
  },
  'worker-network': {
    ...outcome('service-worker/network', [200]),
    steps: 'afterFill',
    more: fresh,
    files: { fill: page(controls), worker: answering('fetch(event.request)') },
  },
  'worker-store': {
    truth: { answer: 'service-worker/cache-storage', cacheStorageName: storeName },
    steps: 'afterFill',
    more: fresh,
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
  const { steps, more, isElsewhere = false, movedBy, before = '', files, ...outcome } = state;
  const own = all.filter(([, { isSameOrigin }]) => !(isElsewhere && isSameOrigin));
  const place = isElsewhere ? 'elsewhere' : 'here';
  const targetIn = (kind: string) => (movedBy ? targetOf(kind) : kind);
  const runs = own.map(([kind, { run }]) => run(`(${place} + '${kind}')`));
  const scene = {
    scene: `kinds-${name}`,
    steps: stepsOf(steps),
    files: {
      ...Object.fromEntries(own.map(([kind, { file }]) => [targetIn(kind), file(more)])),
      ...(movedBy && Object.fromEntries(own.map(([kind]) => [kind, redirect(kind, movedBy)]))),
      ...files,
      page: page([before, ...runs].join('\n')),
    },
  };
  return own.map(([kind]): Situation => ({
    ...outcome,
    ...scene,
    name: `${kind}-${name}`,
    judged: kind,
    ...(movedBy && moved(kind)),
  }));
});

/** The document of a frame names the URL that redirects led to. */
function moved(kind: string): Partial<Situation> {
  const target = targetOf(kind);
  return kind === 'frame' ? { judged: target } : { target };
}

function redirect(kind: string, movedBy: Pick<ServedFile, 'status' | 'headers'>): ServedFile {
  return text({ ...movedBy, body: '', headers: { ...movedBy.headers, location: targetOf(kind) } });
}

const repeated = ['image', 'input-image', 'svg-image', 'background', 'poster', 'style'];

/** A second use in one document makes no request, and gets no entry of Resource Timing. */
export const repeatedUses: readonly Situation[] = repeated.map((kind) => ({
  scene: 'repeated',
  name: `${kind}-repeated`,
  files: {
    ...Object.fromEntries(repeated.map((each) => [each, kinds[each]?.file() ?? image()])),
    page: page(
      repeated.flatMap((each) => Array(2).fill(kinds[each]?.run(`(here + '${each}')`))).join('\n'),
    ),
  },
  steps: stepsOf('once'),
  judged: kind,
  ...sameDocument,
}));
