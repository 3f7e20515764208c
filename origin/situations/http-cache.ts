import { disk, network } from './outcomes.ts';
import {
  afterFill,
  once,
  page,
  readsResource,
  runsResource,
  script,
  storable,
  style,
  text,
  thenInNewTab,
  thenReload,
  twice,
  unstorable,
  visit,
} from './page.ts';
import { type ServedFile, situation, type Situation } from './situation.ts';

const reads = (resource: Partial<ServedFile>) => ({
  page: readsResource,
  resource: text(resource),
});

/** From the network, and from the HTTP cache on disk. */
export const httpCache: readonly Situation[] = [
  situation('network-brotli', once, network, reads({ coding: 'br' }), {
    truth: { answer: 'network', coding: 'br' },
  }),
  situation('network-no-store', twice, network, reads({ headers: unstorable })),
  situation('network-404', once, network, reads({ status: 404, headers: unstorable }), {
    atOrigin: [404],
  }),
  situation('network-empty-fetch', once, network, reads({ body: '', headers: unstorable })),
  situation('network-empty-script', once, network, {
    page: runsResource,
    resource: script({ body: '' }),
  }),
  situation(
    'network-no-content',
    once,
    network,
    reads({ status: 204, body: '', headers: unstorable }),
    { atOrigin: [204] },
  ),
  situation('network-document', thenReload, network, { page: page('') }, { judged: 'page' }),
  situation('disk-fetch', twice, disk, reads({ coding: 'br' }), {
    truth: { answer: 'disk', coding: 'br' },
  }),
  situation(
    'disk-fetch-again-in-document',
    once,
    disk,
    { page: page(`await read('resource'); await read('resource');`), resource: text() },
    { uses: 2, atOrigin: [200] },
  ),
  situation('disk-script', thenInNewTab, disk, { page: runsResource, resource: script() }),
  situation('disk-style', thenInNewTab, disk, {
    page: page(`await style('resource');`),
    resource: style(),
  }),
  situation(
    'disk-document',
    [visit('page'), visit('other'), visit('page')],
    disk,
    { page: page('', { headers: storable }), other: page('') },
    { judged: 'page' },
  ),
  situation('disk-xhr', twice, disk, {
    page: page(`await new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('GET', 'resource');
        request.onload = resolve;
        request.send();
      });`),
    resource: text(),
  }),
  situation('disk-force-cache', twice, disk, {
    page: page(`await read('resource', { cache: 'force-cache' });`),
    resource: text({ headers: { 'cache-control': 'max-age=0' } }),
  }),
  situation('disk-only-if-cached', afterFill, disk, {
    fill: readsResource,
    page: page(`await read('resource', { cache: 'only-if-cached', mode: 'same-origin' });`),
    resource: text(),
  }),
  situation(
    'disk-after-relaunch',
    [visit('page'), { kind: 'relaunch' }, visit('page')],
    disk,
    reads({ coding: 'br' }),
  ),
];
