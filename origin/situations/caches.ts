import type { Answer } from '@cachescope/model/attribution/answer.ts';
import {
  conditional,
  fresh,
  image,
  ofDocument,
  outcome,
  page,
  reads,
  readsResource,
  revalidatedInMemory,
  revalidated,
  runs,
  sameDocument,
  script,
  situation,
  storable,
  style,
  text,
  visit,
  waitsFor,
} from './page.ts';
import type { Situation } from './situation.ts';

const coded = { coding: 'br' } as const;
const codedFrom = (answer: Answer) => ({ answer, ...coded });
const noContent = { status: 204, body: '', ...fresh };
const relaunched = [visit('page'), { kind: 'relaunch' }, visit('page')] as const;
const usesStyle = { page: `await style('resource');`, resource: style() };

/** From the network, and from the HTTP cache on disk. */
export const httpCache: readonly Situation[] = [
  situation('network-brotli', 'once', outcome(codedFrom('network')), reads(coded)),
  situation('network-no-store', 'twice', 'network', reads(fresh)),
  situation('network-404', 'once', outcome('network', [404]), reads({ status: 404, ...fresh })),
  situation('network-empty-fetch', 'once', 'network', reads({ body: '', ...fresh })),
  situation('network-empty-script', 'once', 'network', runs({ body: '' })),
  situation('network-no-content', 'once', outcome('network', [204]), reads(noContent)),
  situation('network-document', 'thenReload', ofDocument('network'), { page: '' }),
  situation('disk-fetch', 'twice', outcome(codedFrom('disk')), reads(coded)),
  situation('disk-fetch-again-in-document', 'once', outcome('disk', [200], { uses: 2 }), {
    page: `await read('resource'); await read('resource');`,
    resource: text(),
  }),
  situation('disk-script', 'thenInNewTab', 'disk', runs()),
  situation('disk-style', 'thenInNewTab', 'disk', usesStyle),
  situation('disk-document', [visit('page'), visit('other'), visit('page')], ofDocument('disk'), {
    page: page('', { headers: storable }),
    other: '',
  }),
  situation('disk-xhr', 'twice', 'disk', {
    page: `await new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', 'resource');
        request.onload = resolve;
        request.send();
      });`,
    resource: text(),
  }),
  situation('disk-force-cache', 'twice', 'disk', {
    page: `await read('resource', { cache: 'force-cache' });`,
    resource: text({ headers: { 'cache-control': 'max-age=0' } }),
  }),
  situation('disk-only-if-cached', 'afterFill', 'disk', {
    fill: readsResource,
    page: `await read('resource', { cache: 'only-if-cached', mode: 'same-origin' });`,
    resource: text(),
  }),
  situation('disk-after-relaunch', relaunched, 'disk', reads(coded)),
];

/** The renderer's memory cache, across documents and within one. */
export const memoryCache: readonly Situation[] = [
  situation('memory-script', 'twice', 'memory', runs()),
  situation('memory-module', 'twice', 'memory', {
    page: `await script('resource', { type: 'module' });`,
    resource: script(),
  }),
  situation('memory-style', 'twice', 'memory', usesStyle),
  // Blink holds images only weakly: after a garbage collection the HTTP cache answers.
  situation('memory-image', 'twice', outcome('memory', [], { orAnswer: 'disk' }), {
    page: `await image('resource');`,
    resource: image(),
  }),
  situation('memory-reload', 'thenReload', 'memory', runs()),
  situation('same-document', 'once', sameDocument, {
    page: `await image('resource'); await image('resource');`,
    resource: image(),
  }),
  situation('same-document-at-once', 'once', sameDocument, {
    page: `await Promise.all([image('resource'), image('resource')]);`,
    resource: image({ delayMs: 100 }),
  }),
  situation('same-document-style', 'once', sameDocument, {
    page: `await style('resource'); await style('resource');`,
    resource: style(),
  }),
];

/** 304: to the HTTP cache, to the memory cache, to the page itself. */
export const revalidation: readonly Situation[] = [
  situation('revalidated-fetch', 'twice', revalidated, reads(conditional)),
  situation('revalidated-fetch-no-cache', 'twice', revalidated, {
    page: `await read('resource', { cache: 'no-cache' });`,
    resource: text({ isConditional: true }),
  }),
  situation('revalidated-script-in-new-tab', 'thenInNewTab', revalidated, runs(conditional)),
  situation(
    'revalidated-script-in-memory',
    'twice',
    revalidatedInMemory,
    runs({ ...conditional, ...coded }),
  ),
  situation('revalidated-document', 'thenReload', ofDocument(revalidated), {
    page: page('', conditional),
  }),
  situation(
    'revalidated-script-read-as-empty',
    'twice',
    revalidatedInMemory,
    runs({ ...conditional, body: '' }),
  ),
  situation('not-modified-told-to-page', 'once', outcome('network/not-modified', [304]), {
    page: `await read('resource', { headers: { 'if-none-match': '"resource"' } });`,
    resource: text({ isConditional: true }),
  }),
];

/** By its age it is stale from the start. */
const stale = { 'cache-control': 'max-age=1, stale-while-revalidate=600', age: '10' } as const;

/** A stale response is used, while the browser asks for a new one (RFC 5861 section 3). */
export const staleWhileRevalidate: readonly Situation[] = [
  situation('stale-while-revalidate', 'afterFill', outcome('stale-while-revalidate', [304]), {
    fill: readsResource,
    page: `await read('resource'); await read('renewed');`,
    resource: text({ isConditional: true, headers: stale }),
    renewed: waitsFor('resource', 304),
  }),
];
