import {
  conditional,
  fresh,
  image,
  ofDocument,
  outcome,
  page,
  script,
  situation,
  text,
  waitsFor,
} from './page.ts';
import {
  controls,
  fillsStore,
  handler,
  installs,
  storeName,
  worker,
} from './service-worker-script.ts';
import type { ServedFile, Situation } from './situation.ts';

/** The document is done when the worker's own request is answered. */
const over = waitsFor('resource');
const asks = `fetch(event.request.url, { cache: 'no-cache' }).then((response) => response.text())`;
/** A service worker that answers from its store and asks for the same URL itself: at once, or so many ms later. */
const asksAtOnce = handler(`(event.waitUntil(${asks}), caches.match(event.request.url))`);
const asksAfter = (ms: number) =>
  handler(`(
    event.waitUntil(new Promise((resolve) => setTimeout(resolve, ${ms})).then(() => ${asks})),
    caches.match(event.request.url))`);

const refreshed = (
  name: string,
  worker: ServedFile,
  run: string,
  resource = text(fresh),
  more: Partial<Situation> = {},
): Situation =>
  situation(
    `worker-store-${name}`,
    'afterFill',
    {
      truth: { answer: 'service-worker/cache-storage', cacheStorageName: storeName },
      atOrigin: [200],
      ...more,
    },
    { fill: installs(fillsStore), page: `${run} await read('over');`, worker, resource, over },
  );

/** What most libraries of service workers do: the page gets what is stored, and the worker asks for a newer one. */
const refreshing: readonly Situation[] = [
  refreshed('and-refresh', asksAtOnce, `await read('resource');`),
  refreshed('then-refresh', asksAfter(0), `await read('resource');`),
  refreshed('then-refresh-late', asksAfter(300), `await read('resource');`),
  refreshed('and-refresh-script', asksAtOnce, `await script('resource');`, script(fresh)),
  refreshed('and-refresh-image', asksAtOnce, `await image('resource');`, image(fresh)),
  refreshed('and-refresh-confirmed', asksAfter(0), `await read('resource');`, text(conditional), {
    atOrigin: [304],
  }),
  refreshed(
    'and-refresh-twice',
    asksAtOnce,
    `await read('resource'); await read('resource');`,
    text(fresh),
    { uses: 2, atOrigin: [200, 200] },
  ),
  situation('worker-made-and-refresh', 'afterFill', outcome('service-worker/synthetic', [200]), {
    fill: installs(),
    page: `await read('resource'); await read('over');`,
    worker: handler(`(event.waitUntil(${asks}), new Response('made'.repeat(99)))`),
    resource: text(fresh),
    over,
  }),
];

const claims = worker('');
const registering: readonly Situation[] = [
  situation('registered-in-control', 'once', outcome('network', [200], { judged: 'worker' }), {
    page: controls,
    worker: claims,
  }),
  // The registration asks for the script, and so does the update.
  situation(
    'registered-and-updated',
    'once',
    outcome('network', [200, 200], { judged: 'worker', uses: 2 }),
    { page: `${controls} await (await navigator.serviceWorker.ready).update();`, worker: claims },
  ),
];

const starts = `new Promise((resolve) => { new Worker('worker').onmessage = resolve; })`;
const ready = `postMessage('ready')`;
const late = { ...fresh, delayMs: 300 };
/** Writes a script into frames that have no document of their own, as advertisements do. */
const writes = `
  const frames = [0, 1].map(() => document.body.appendChild(document.createElement('iframe')));
  const written = frames.map(({ contentDocument }, index) => new Promise((resolve) => {
    globalThis['written' + index] = resolve;
    contentDocument.open();
    contentDocument.write(
      '<script src="' + here + 'resource" onload="parent.written' + index + '()"></scr' + 'ipt>');
    contentDocument.close();
  }));
  await Promise.all(written);`;
/** The first stores it; the second may ask while the first is under way. */
const storedOrNot = { truth: { answer: 'disk' }, orAnswer: 'network', uses: 2 } as const;
const twoOf = (more: Partial<Situation> = {}) =>
  outcome('network', [200, 200], { uses: 2, ...more });

const together: readonly Situation[] = [
  situation('two-workers', 'once', twoOf({ judged: 'worker' }), {
    page: `await Promise.all([${starts}, ${starts}]);`,
    worker: script({ body: ready, ...fresh }),
  }),
  situation(
    'two-workers-storable',
    'once',
    { ...storedOrNot, judged: 'worker' },
    {
      page: `await Promise.all([${starts}, ${starts}]);`,
      worker: script({ body: ready }),
    },
  ),
  situation('two-workers-one-by-one', 'once', twoOf({ judged: 'worker' }), {
    page: `await ${starts}; await ${starts};`,
    worker: script({ body: ready, ...fresh }),
  }),
  situation('page-and-worker-fetch', 'once', twoOf(), {
    page: `await Promise.all([read('resource'), ${starts}]);`,
    worker: script({ body: `fetch('resource').then(() => ${ready})`, ...fresh }),
    resource: text(late),
  }),
  situation('get-and-post', 'once', twoOf(), {
    page: `await Promise.all([read('resource'), read('resource', { method: 'POST', body: 'a' })]);`,
    resource: text(late),
  }),
  situation('head-and-get', 'once', twoOf(), {
    page: `await Promise.all([read('resource', { method: 'HEAD' }), read('resource')]);`,
    resource: text(late),
  }),
  situation('written-into-frames', 'once', twoOf(), { page: writes, resource: script(fresh) }),
  situation('written-into-frames-storable', 'once', storedOrNot, {
    page: writes,
    resource: script(),
  }),
];

const face = (source: string) => `
  document.head.append(Object.assign(document.createElement('style'), {
    textContent: '@font-face { font-family: a; src: ${source} } p { font-family: a }' }));
  document.body.append(Object.assign(document.createElement('p'), { textContent: 'words' }));
  await ended(document.fonts.load('9px a'));`;
const failing: readonly Situation[] = [
  situation(
    'font-face-failed',
    'once',
    { truth: { answer: 'failed' } },
    {
      page: face(`url(resource)`),
      resource: text({ cutAfterBytes: 0 }),
    },
  ),
  situation('font-face-missing', 'once', outcome('network', [404]), {
    page: face(`url(resource)`),
    resource: text({ ...fresh, status: 404, delayMs: 300 }),
  }),
  situation(
    'font-face-failed-after-preload',
    'once',
    { truth: { answer: 'failed' }, uses: 2 },
    {
      page: `
      document.head.append(Object.assign(document.createElement('link'),
        { rel: 'preload', as: 'font', crossOrigin: '', href: 'resource' }));
      ${face(`url(resource)`)}`,
      resource: text({ cutAfterBytes: 0 }),
    },
  ),
];

const ahead = situation(
  'prefetched-document-redirected',
  [{ kind: 'visit', file: 'fill' }],
  ofDocument(outcome('prefetch/speculation', [200])),
  {
    fill: page(
      `const isReady = await Promise.race([read('ready').then(() => true), pause(20000)]);
      location.href = isReady ? 'moved' : 'unready';`,
      {
        isPassage: true,
        head: `<script type="speculationrules">{"prefetch":[{"urls":["moved"],"eagerness":"immediate"}]}</script>`,
      },
    ),
    unready: '',
    ready: waitsFor('page'),
    moved: text({ status: 302, body: '', headers: { ...fresh.headers, location: 'page' } }),
    page: '',
  },
);

/** What witnesses report in several ways, or several of at once: each use is one row. */
export const oneUse: readonly Situation[] = [
  ...refreshing,
  ...registering,
  ...together,
  ...failing,
  ahead,
];
