import { disk, network } from './outcomes.ts';
import { page, readsResource, runsResource, script, text, unstorable, visit } from './page.ts';
import { type Outcome, type ServedFile, situation, type Situation } from './situation.ts';

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
const ahead: Outcome = { truth: { answer: 'prefetch/speculation' }, atOrigin: [200] };
/** Chromium 156 renders nothing ahead while a debugger is attached. */
const rendered = (outcome: Outcome): Outcome => ({ ...outcome, alsoAsked: 'shown' });
const prefetches = { fill: speculates('prefetch'), unready, ready: ready('page') };
const fills = [visit('fill')];

/** Speculation rules: the next document, and what it uses, are fetched or rendered ahead. */
export const speculation: readonly Situation[] = [
  situation(
    'prefetched-document-not-storable',
    fills,
    ahead,
    { ...prefetches, page: page('') },
    { judged: 'page' },
  ),
  situation('prefetched-document-script', fills, network, {
    ...prefetches,
    page: runsResource,
    resource: script(),
  }),
  situation('prerendered-document', fills, rendered(ahead), prerenders(), { judged: 'page' }),
  situation('prerendered-document-script', fills, rendered(network), {
    ...prerenders(`await script('resource');`),
    resource: script(),
  }),
  situation(
    'prerendered-document-fetch-from-disk',
    [visit('before'), visit('fill')],
    rendered(disk),
    { ...prerenders(`await read('resource');`), before: readsResource, resource: text() },
  ),
];
