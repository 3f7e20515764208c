import {
  type Files,
  fresh,
  image,
  outcome,
  page,
  script,
  shared,
  situation,
  text,
  unstorable,
  visit,
  waitsFor,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

/** A document that asks for the file `resource`: its script, the resource, and what else the origin serves. */
const requested = (
  name: string,
  document: ServedFile | string,
  resource: ServedFile = text({ headers: { ...unstorable, ...shared } }),
  others: Files = {},
  more: Partial<Situation> = {},
) =>
  situation(
    name,
    'once',
    { ...outcome('network'), ...more },
    { page: document, resource, ...others },
  );
const over = waitsFor('resource');
/** The document is busy while the browser receives the whole response. */
const busy = `for (const sinceMs = performance.now(); performance.now() < sinceMs + 100; );`;
const frame = `await ended(read('resource')); parent.postMessage('ended', '*');`;
const waits = `await new Promise((resolve) => addEventListener('message', resolve));`;
const framed = (name: string, attributes: string) =>
  requested(
    name,
    `document.body.append(Object.assign(document.createElement('iframe'), ${attributes})); ${waits}`,
    undefined,
    { frame },
  );
const embeds = (tag: string, place: string, type: string) =>
  `await load('${tag}', { ${place}: 'resource', type: '${type}' });`;
const picture = image(fresh);
const pages = (title: string) =>
  page('', { body: `<!doctype html><title>${title}</title>`.repeat(9) });
const leaves = (name: string, sends: string) =>
  requested(
    `${name}-at-pagehide`,
    `addEventListener('pagehide', () => {
        ${sends};
      });`,
    undefined,
    { other: `await read('over');`, over },
    { steps: [visit('page'), visit('other')], loadOf: 'page' },
  );

/** Documents and elements that hold others. */
export const contexts: readonly Situation[] = [
  framed('frame-fetch', `{ src: 'frame' }`),
  framed('frame-of-other-site-fetch', `{ src: elsewhere + 'frame' }`),
  framed('sandboxed-frame-fetch', `{ src: 'frame', sandbox: 'allow-scripts' }`),
  requested(
    'sandboxed-document-fetch',
    page(`await read('resource');`, {
      headers: { ...unstorable, 'content-security-policy': 'sandbox allow-scripts' },
    }),
  ),
  requested(
    'blank-frame-fetch',
    `
        const frame = document.body.appendChild(document.createElement('iframe'));
        await (await frame.contentWindow.fetch(here + 'resource')).text();`,
  ),
  requested(
    'srcdoc-frame-image',
    `await load('iframe', { srcdoc: '<img src="' + here + 'resource">' });`,
    picture,
  ),
  requested('embed', embeds('embed', 'src', 'image/svg+xml'), picture),
  requested('embed-document', embeds('embed', 'src', 'text/html'), pages('Embedded')),
  requested('object', embeds('object', 'data', 'image/svg+xml'), picture),
  requested('object-document', embeds('object', 'data', 'text/html'), pages('An object')),
  requested(
    'preflighted-put',
    `await read(elsewhere + 'resource', { method: 'PUT', body: 'a' });`,
    text({ headers: { ...unstorable, ...shared, 'access-control-allow-methods': 'PUT' } }),
    {},
    { atOrigin: [200, 200] },
  ),
  requested('post', `await read('resource', { method: 'POST', body: 'a' });`),
  requested('beacon', `navigator.sendBeacon('resource', 'a'); await read('over');`, undefined, {
    over,
  }),
  leaves('beacon', `navigator.sendBeacon('resource', 'a')`),
  leaves('keepalive', `fetch('resource', { keepalive: true })`),
  requested(
    'open-media',
    `
        document.body.append(Object.assign(new Audio(), { preload: 'auto', src: 'resource' }));
        await read('over');`,
    text({ contentType: 'audio/wav', ...fresh, staysOpen: true }),
    { over },
  ),
  requested(
    'event-source',
    `
        await new Promise((resolve) => {
          const source = new EventSource('resource');
          source.onmessage = () => { source.close(); resolve(); };
        });`,
    text({ contentType: 'text/event-stream', body: 'data: a\n\n', ...fresh }),
  ),
  requested(
    'missing-script-processed-late',
    `
        const loading = ended(script('resource'));
        ${busy}
        await loading;`,
    script({ status: 404, ...fresh }),
    {},
    { atOrigin: [404] },
  ),
  requested(
    'web-socket',
    `
        await new Promise((resolve) => {
          const socket = new WebSocket(here.replace('http', 'ws') + 'resource');
          socket.onopen = () => socket.close();
          socket.onclose = resolve;
        });`,
    text({ isSocket: true }),
    {},
    { atOrigin: [101] },
  ),
  requested(
    'registered-script',
    `
        const { installing } = await navigator.serviceWorker.register('resource');
        await new Promise((resolve) => { installing.onstatechange = resolve; });`,
    script({ body: 'self.isRegistered = true;' }),
  ),
];

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

const made = (type: string, body: string) =>
  `URL.createObjectURL(new Blob([${body}], { type: '${type}' }))`;
const uses: Readonly<Record<string, (url: string) => string>> = {
  fetch: (url) => `await read(${url});`,
  worker: (url) => `await new Promise((resolve) => { new Worker(${url}).onmessage = resolve; });`,
};
const words = `'postMessage(1)'`;
const urls = {
  data: `'data:text/javascript,' + encodeURIComponent(${words})`,
  blob: made('text/javascript', words),
} as const;

const hidden = { hasNoEntry: true };
const used = (kind: 'data' | 'blob', name: string, run: string, more: Partial<Situation> = {}) =>
  situation(name, 'once', outcome(kind, [], { judged: `${kind}:`, ...more }), { page: run });

/** What is in the URL itself. */
export const inUrl: readonly Situation[] = [
  used(
    'data',
    'data-url',
    `await image('data:image/svg+xml,' + encodeURIComponent('${drawing}'));`,
    hidden,
  ),
  used('blob', 'blob-url', `await image(${made('image/svg+xml', `'${drawing}'`)});`, hidden),
  ...(['data', 'blob'] as const).flatMap((kind) =>
    Object.entries(uses).map(([use, run]) => used(kind, `${kind}-url-${use}`, run(urls[kind]))),
  ),
];

const starts = (file: string, options = '{}') =>
  `await new Promise((resolve) => { new Worker('${file}', ${options}).onmessage = resolve; });`;
const says = (more = '') => script({ body: `${more}; postMessage('ready');` });

const workerFiles = {
  worker: says(),
  module: says(`import './imported'`),
  imported: script(),
  importing: says(`importScripts('imported-late')`),
  'imported-late': script(),
  reading: script({ body: `fetch('read').then(() => postMessage('ready'));` }),
  read: text(),
  nesting: script({ body: `new Worker('nested').onmessage = () => postMessage('ready');` }),
  nested: says(),
};
const runs = [
  starts('worker'),
  starts('module', `{ type: 'module' }`),
  starts('importing'),
  starts('reading'),
  starts('nesting'),
];
/** What is judged, by its name. */
const judged: Readonly<Record<string, keyof typeof workerFiles>> = {
  script: 'worker',
  module: 'module',
  'module-import': 'imported',
  'import-scripts': 'imported-late',
  fetch: 'read',
  nested: 'nested',
};
const states = {
  network: ['once', 'network'],
  again: ['twice', 'disk'],
  disk: ['thenInNewTab', 'disk'],
} as const;

const sharedWorker = (name: string, judged: string) =>
  situation(
    `shared-worker-${name}`,
    'once',
    { ...outcome('network'), scene: 'shared-worker', judged },
    {
      page: `await new Promise((resolve) => {
      new SharedWorker('shared').port.onmessage = resolve;
    });`,
      shared: script({
        body: `onconnect = async ({ ports: [port] }) => { await fetch('resource'); port.postMessage('ready'); };`,
      }),
      resource: text(),
    },
  );

/** What workers of a page ask for: their scripts, what these import, and what they fetch. */
export const workers: readonly Situation[] = [
  ...Object.entries(states).flatMap(([state, [steps, answer]]) =>
    Object.entries(judged).map(([name, file]) =>
      situation(
        `page-worker-${name}-${state}`,
        steps,
        { ...outcome(answer), scene: `page-workers-${state}`, judged: file },
        { ...workerFiles, page: runs.join('\n') },
      ),
    ),
  ),
  sharedWorker('script', 'shared'),
  sharedWorker('fetch', 'resource'),
];
