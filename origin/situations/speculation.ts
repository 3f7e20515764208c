import { page, script, storable, text, unstorable, visit } from './page.ts';
import type { Outcome, ServedFile, Situation } from './situation.ts';

const rules = (action: 'prefetch' | 'prerender') =>
  `<script type="speculationrules">{"${action}":[{"urls":["page"],"eagerness":"immediate"}]}</script>`;
/** Chromium need not do what the rules allow: then the situation does not come about, so long after, ms. */
const patienceMs = 20_000;
/** Goes on once the origin has answered what shows that the browser heeded the rules. */
const speculates = (action: 'prefetch' | 'prerender') =>
  page(
    `const isReady = await Promise.race([read('ready').then(() => true), pause(${patienceMs})]);
    location.href = isReady ? 'page' : 'unready';`,
    { isPassage: true, head: rules(action) },
  );
const unready = page('');
const ready = (file: string) => text({ headers: unstorable, waitsFor: { file, status: 200 } });
/** A document that was rendered ahead does what it does before it is shown; it is done when it is. */
const whenShown = (run: string): ServedFile =>
  page(`
    ${run}
    if (document.prerendering)
      await new Promise((resolve) => document.addEventListener('prerenderingchange', resolve));
    await read('shown');`);
/** A document that is rendered ahead, and the one that it is rendered from. */
const prerenders = (run = '') => ({
  fill: speculates('prerender'),
  unready,
  ready: ready('over'),
  over: text({ headers: unstorable }),
  shown: text({ headers: unstorable }),
  page: whenShown(`${run} await read('over');`),
});
/** Chromium 156 renders nothing ahead while a debugger is attached. */
const rendered = { alsoAsked: 'shown' } as const;
const visited = { steps: [visit('fill')], atOrigin: [200] } as const;
const network: Outcome = { truth: { answer: 'network' }, atOrigin: [200] };

/** Speculation rules: the next document, and what it uses, are fetched or rendered ahead. */
export const speculation: readonly Situation[] = [
  {
    ...visited,
    name: 'prefetched-document-not-storable',
    files: { fill: speculates('prefetch'), unready, ready: ready('page'), page: page('') },
    judged: 'page',
    truth: { answer: 'prefetch/speculation' },
  },
  {
    ...visited,
    name: 'prefetched-document-script',
    files: {
      fill: speculates('prefetch'),
      unready,
      ready: ready('page'),
      page: page(`await script('resource');`),
      resource: script(),
    },
    judged: 'resource',
    ...network,
  },
  {
    ...visited,
    ...rendered,
    name: 'prerendered-document',
    files: prerenders(),
    judged: 'page',
    truth: { answer: 'prefetch/speculation' },
  },
  {
    ...visited,
    ...rendered,
    name: 'prerendered-document-script',
    files: {
      ...prerenders(`await script('resource');`),
      resource: script(),
    },
    judged: 'resource',
    ...network,
  },
  {
    ...rendered,
    name: 'prerendered-document-fetch-from-disk',
    files: {
      ...prerenders(`await read('resource');`),
      before: page(`await read('resource');`),
      resource: text({ headers: storable }),
    },
    steps: [visit('before'), visit('fill')],
    judged: 'resource',
    truth: { answer: 'disk' },
    atOrigin: [],
  },
];
