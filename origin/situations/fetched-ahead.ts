import {
  type Came,
  conditional,
  fresh,
  image,
  ofDocument,
  outcome,
  outcomeOf,
  page,
  readsResource,
  revalidated,
  runs,
  runsResource,
  script,
  situation,
  storable,
  style,
  text,
  visit,
  waitsFor,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const fills = [visit('fill')];
/** The link's load event says that the prefetch has ended. */
const prefetches = (file: string) => `await load('link', { rel: 'prefetch', href: '${file}' });`;
const rules = (action: 'prefetch' | 'prerender') =>
  `<script type="speculationrules">{"${action}":[{"urls":["page"],"eagerness":"immediate"}]}</script>`;
const ahead = outcome('prefetch/speculation', [200]);
// Chromium waits for a prefetch only for a time; after it the navigation reads what the prefetch stored.
const aheadOrStored = outcome('prefetch/speculation', [200], { orAnswer: 'disk' });

/** `<link rel=prefetch>`, then the use in the next document; and speculation rules. */
export const prefetch: readonly Situation[] = [
  situation('prefetch-link-script', 'afterFill', outcome('prefetch/link', []), {
    fill: prefetches('resource'),
    ...runs(),
  }),
  // At the origin: the prefetch's own request.
  situation('prefetch-link-document', fills, ofDocument(outcome('prefetch/link', [200])), {
    // The cache keeps navigations from elsewhere apart, so the document itself goes on.
    fill: page(`${prefetches('page')} location.href = 'page';`, { isPassage: true }),
    page: page('', { headers: storable }),
  }),
  situation('prefetch-link-no-cache', 'afterFill', revalidated, {
    fill: prefetches('resource'),
    ...runs(conditional),
  }),
  situation('prefetch-speculation', fills, ofDocument(aheadOrStored), {
    fill: page(`await read('prefetched'); location.href = 'page';`, {
      isPassage: true,
      head: rules('prefetch'),
    }),
    prefetched: waitsFor('page'),
    page: page('', { headers: storable }),
  }),
];

const preloads = `await load('link', { rel: 'preload', as: 'script', href: 'resource' });`;

/** `<link rel=preload>`: the preload's own entry, and the use that it serves. */
export const preload: readonly Situation[] = [
  situation('preload-then-use', 'once', outcome('preload', [200], { hasNoEntry: true }), {
    page: `${preloads} await script('resource');`,
    resource: script(),
  }),
  situation('preload-alone', 'once', 'network', { page: preloads, resource: script() }),
];

const hinted = (document: ServedFile) => ({
  page: { ...document, earlyHint: '<resource>; rel=preload; as=script', delayMs: 1200 },
  resource: script(),
});
const used = hinted(runsResource);
const overTls = (came: Came) => ({ ...outcomeOf(came), isSecure: true });
// Chromium may leave a hint unheeded, and then the document's script asks; or its request comes late.
const early = outcome('early-hints', [200], {
  askedBefore: 'page',
  otherwise: [outcome('network', [200], { orAnswer: 'early-hints' })],
});

/** 103 (RFC 8297): Chromium heeds it over HTTP/2 and TLS. */
export const earlyHints: readonly Situation[] = [
  situation('early-hints-script', 'once', overTls(early), used),
  situation('early-hints-unused', 'once', overTls('network'), hinted(page(''))),
  situation('early-hints-document', 'once', overTls(ofDocument('network')), used),
  situation('early-hints-again', 'twice', overTls('memory'), used),
  situation(
    'early-hints-again-in-new-tab',
    'thenInNewTab',
    overTls(outcome('early-hints', [])),
    used,
  ),
];

/** Chromium need not do what the rules allow: then the situation does not come about, so long after, ms. */
const patienceMs = 20_000;
/** Goes on once the origin has answered what shows that the browser heeded the rules. */
const speculates = (action: 'prefetch' | 'prerender') =>
  page(
    `const isReady = await Promise.race([read('ready').then(() => true), pause(${patienceMs})]);
    location.href = isReady ? 'page' : 'unready';`,
    { isPassage: true, head: rules(action) },
  );
/** A document that was rendered ahead does what it does before it is shown; it is done when it is. */
const whenShown = (run: string) => `
    const isAhead = document.prerendering;
    ${run}
    if (document.prerendering)
      await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve));
    if (isAhead) await read('shown');`;
/** A document that is rendered ahead, and the one that it is rendered from. */
const prerenders = (run = '') => ({
  fill: speculates('prerender'),
  unready: '',
  ready: waitsFor('over'),
  over: text(fresh),
  shown: text(fresh),
  page: whenShown(`${run} await read('over');`),
});
/** Chromium 156 renders nothing ahead while a debugger is attached. */
const rendered = (came: Came) => ({ ...outcomeOf(came), alsoAsked: 'shown' });
const prefetched = { fill: speculates('prefetch'), unready: '', ready: waitsFor('page') };

/** Speculation rules: the next document, and what it uses, are fetched or rendered ahead. */
export const speculation: readonly Situation[] = [
  situation('prefetched-document-not-storable', fills, ofDocument(ahead), {
    ...prefetched,
    page: '',
  }),
  situation('prefetched-document-script', fills, 'network', { ...prefetched, ...runs() }),
  situation('prerendered-document', fills, ofDocument(rendered(ahead)), prerenders()),
  situation('prerendered-document-script', fills, rendered('network'), {
    ...prerenders(`await script('resource');`),
    resource: script(),
  }),
  situation('prerendered-document-fetch-from-disk', [visit('before'), ...fills], rendered('disk'), {
    ...prerenders(`await read('resource');`),
    before: readsResource,
    resource: text(),
  }),
];

/** A prefetch that takes so long, ms, is still arriving when the next document uses it, and a moment later it is not. */
const prefetchMs = 1500;
/** Asks for a file ahead, and goes on when the request has been sent. */
const startsPrefetch = (file: string) => `
    document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: '${file}' }));
    await read('sent');`;
const joined = (name: string, run: string, resource: ServedFile): Situation =>
  situation(`joins-prefetch-${name}`, 'once', outcome('prefetch/link', [200], { uses: 2 }), {
    page: `${startsPrefetch('resource')}
      const use = ended(${run});
      await read('over');
      await use;`,
    sent: text({ ...fresh, waitsFor: { file: 'resource' } }),
    over: text(fresh),
    resource: { ...resource, waitsFor: { file: 'over', status: 200 } },
  });

/** Uses that join a `<link rel=prefetch>` which is still arriving. */
export const joinedPrefetches: readonly Situation[] = [
  joined('fetch', `read('resource')`, text()),
  joined('script', `script('resource')`, script()),
  joined('module', `script('resource', { type: 'module' })`, script()),
  joined('style', `style('resource')`, style()),
  joined('image', `image('resource')`, image()),
  situation('joins-prefetch-document', fills, ofDocument(outcome('prefetch/link', [200])), {
    fill: page(`${startsPrefetch('page')} location.href = 'page';`, { isPassage: true }),
    sent: text({ ...fresh, delayMs: 200 }),
    page: page('', { headers: storable, delayMs: prefetchMs }),
  }),
];

const declares = (ready: ServedFile, document: ServedFile | string) => ({
  fill: page(`await read('ready');`, { head: rules('prefetch') }),
  ready,
  page: document,
});

/** The request by which speculation rules fetch ahead, in the document that declares them. */
export const speculationItself: readonly Situation[] = [
  situation('speculation-request', fills, ofDocument('network'), declares(waitsFor('page'), '')),
  situation(
    'speculation-request-storable',
    fills,
    ofDocument('network'),
    declares(waitsFor('page'), page('', { headers: storable })),
  ),
  situation(
    'speculation-request-missing',
    fills,
    ofDocument(outcome('network', [404])),
    declares(waitsFor('page', 404), page('', { status: 404 })),
  ),
  situation(
    'speculation-request-again',
    [...fills, ...fills],
    ofDocument({ ...outcome('disk'), otherwise: [outcome('network')] }),
    declares(text({ ...fresh, delayMs: prefetchMs }), page('', { headers: storable })),
  ),
];
