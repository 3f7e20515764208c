import { expect, test } from 'vitest';
import { situations } from './situations.ts';

const names = new Set(situations.map(({ name }) => name));

/** What an instrument is likely to get wrong, to miss or to show twice, and the situations that show whether it does. */
const cases: Readonly<Record<string, readonly string[]>> = {
  'a range or a download of which a part is cached': [
    'range-half-on-disk',
    'range-end-on-disk',
    'range-resumed-download',
  ],
  'blocked by the Content-Security-Policy': [
    'image-blocked-by-csp',
    'script-blocked-by-csp',
    'font-blocked-by-csp',
  ],
  'failed, by CORS and by the network': ['failed-cors', 'failed-preflight', 'script-failed'],
  'a race of a static route that a 304 wins': ['route-race-revalidated'],
  'a navigation preload from the HTTP cache': ['worker-navigation-preload-http-cache'],
  'a service worker that passes on a coded body as long as its text': [
    'worker-passes-body-as-long-coded',
    'worker-lets-pass-body-as-long-coded',
  ],
  'an empty script that a 304 confirms': ['revalidated-script-read-as-empty'],
  'sandboxed documents': ['sandboxed-frame-fetch', 'sandboxed-document-fetch'],
  WebSocket: ['web-socket'],
  'sent while the page is left': ['keepalive-at-pagehide', 'beacon-at-pagehide'],
  'shared workers': ['shared-worker-script', 'shared-worker-fetch'],
  'images used twice in one document': [
    'svg-image-repeated',
    'input-image-repeated',
    'background-repeated',
    'poster-repeated',
  ],
  'an early hint that nobody uses': ['early-hints-unused'],
  'the script of a registration': ['registered-script'],
  'a service worker that answers from its store and asks for the same URL': [
    'worker-store-and-refresh',
    'worker-store-then-refresh-late',
    'worker-store-and-refresh-twice',
    'worker-made-and-refresh',
  ],
  'several uses of one URL at once': [
    'two-workers',
    'page-and-worker-fetch',
    'get-and-post',
    'written-into-frames',
    'prefetched-document-redirected',
  ],
  'uses that few witnesses report': [
    'download',
    'navigation-without-content',
    'preload-then-fetch',
    'style-in-two-shadow-roots',
  ],
  'data: and blob:': ['data-url-fetch', 'data-url-worker', 'blob-url-fetch', 'blob-url-worker'],
  'media that is still open': ['open-media'],
  'embed and object': ['embed', 'embed-document', 'object', 'object-document'],
  'a request with a preflight': ['preflighted-put'],
  'a fetch in about:blank': ['blank-frame-fetch'],
  'what a worker fetches': ['page-worker-fetch-network', 'page-worker-fetch-disk'],
  'a worker’s script at its second visit': ['page-worker-script-again'],
};

test.each(Object.entries(cases))('%s has its situations', (_case, wanted) => {
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});
