import { page, script, storable, style, text, unstorable, visit, visitInNewTab } from './page.ts';
import type { Situation } from './situation.ts';

const readsOnce = page(`await read('resource');`);
const network = {
  steps: [visit('page')],
  judged: 'resource',
  truth: { answer: 'network' },
} as const;
const stored = {
  steps: [visit('page'), visit('page')],
  judged: 'resource',
  truth: { answer: 'disk' },
  atOrigin: [],
} as const;
const storedInNewTab = { ...stored, steps: [visit('page'), visitInNewTab('page')] } as const;

/** From the network, and from the HTTP cache on disk. */
export const httpCache: readonly Situation[] = [
  {
    ...network,
    name: 'network-brotli',
    files: { page: readsOnce, resource: text({ coding: 'br' }) },
    truth: { answer: 'network', coding: 'br' },
    atOrigin: [200],
  },
  {
    ...network,
    name: 'network-no-store',
    files: { page: readsOnce, resource: text({ headers: unstorable }) },
    steps: [visit('page'), visit('page')],
    atOrigin: [200],
  },
  {
    ...network,
    name: 'network-404',
    files: { page: readsOnce, resource: text({ status: 404, headers: unstorable }) },
    atOrigin: [404],
  },
  {
    ...network,
    name: 'network-empty-fetch',
    files: { page: readsOnce, resource: text({ body: '', headers: unstorable }) },
    atOrigin: [200],
  },
  {
    ...network,
    name: 'network-empty-script',
    files: { page: page(`await script('resource');`), resource: script({ body: '' }) },
    atOrigin: [200],
  },
  {
    ...network,
    name: 'network-no-content',
    files: { page: readsOnce, resource: text({ status: 204, body: '', headers: unstorable }) },
    atOrigin: [204],
  },
  {
    ...network,
    name: 'network-document',
    files: { page: page('', { headers: unstorable }) },
    judged: 'page',
    steps: [visit('page'), { kind: 'reload' }],
    atOrigin: [200],
  },
  {
    ...stored,
    name: 'disk-fetch',
    files: { page: readsOnce, resource: text({ coding: 'br' }) },
    truth: { answer: 'disk', coding: 'br' },
  },
  {
    ...stored,
    name: 'disk-fetch-again-in-document',
    uses: 2,
    files: { page: page(`await read('resource'); await read('resource');`), resource: text() },
    steps: [visit('page')],
    atOrigin: [200],
  },
  {
    ...storedInNewTab,
    name: 'disk-script',
    files: { page: page(`await script('resource');`), resource: script() },
  },
  {
    ...storedInNewTab,
    name: 'disk-style',
    files: { page: page(`await style('resource');`), resource: style() },
  },
  {
    ...stored,
    name: 'disk-document',
    files: { page: page('', { headers: storable }), other: page('') },
    steps: [visit('page'), visit('other'), visit('page')],
    judged: 'page',
  },
  {
    ...stored,
    name: 'disk-xhr',
    files: {
      page: page(`await new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', 'resource');
        request.onload = resolve;
        request.send();
      });`),
      resource: text(),
    },
  },
  {
    ...stored,
    name: 'disk-force-cache',
    files: {
      page: page(`await read('resource', { cache: 'force-cache' });`),
      resource: text({ headers: { 'cache-control': 'max-age=0' } }),
    },
  },
  {
    ...stored,
    name: 'disk-only-if-cached',
    files: {
      fill: readsOnce,
      page: page(`await read('resource', { cache: 'only-if-cached', mode: 'same-origin' });`),
      resource: text(),
    },
    steps: [visit('fill'), visit('page')],
  },
  {
    ...stored,
    name: 'disk-after-relaunch',
    files: { page: readsOnce, resource: text({ coding: 'br' }) },
    steps: [visit('page'), { kind: 'relaunch' }, visit('page')],
  },
];
