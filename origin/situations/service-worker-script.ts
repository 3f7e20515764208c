import { fresh, script } from './page.ts';
import type { ServedFile } from './situation.ts';

export const worker = (run: string): ServedFile =>
  script({
    ...fresh,
    body: `
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      const isJudged = (request) => new URL(request.url).pathname.endsWith('/resource');
      ${run}
    `,
  });

/** A service worker that answers requests for the judged resource with this expression. */
export const handler = (response: string): ServedFile =>
  worker(`
    addEventListener('fetch', (event) => {
      if (isJudged(event.request)) event.respondWith(${response});
    });
  `);

/**
 * A service worker that routes requests for the judged resource (Service Workers, static routing), and answers those that
 * reach its fetch handler with this expression: by default once it has lost any race (the file `lost`).
 */
export const routed = (
  source: string,
  response = `fetch('lost').then(() => fetch(event.request))`,
): ServedFile =>
  worker(`
    addEventListener('install', (event) => {
      event.waitUntil(event.addRoutes([
        { condition: { urlPattern: new URLPattern({ pathname: '/*/resource' }) }, source: ${source} },
      ]));
    });
    addEventListener('fetch', (event) => {
      if (isJudged(event.request)) event.respondWith(${response});
    });
  `);

/** Registers the service worker and waits until it controls the page. */
export const controls = `
    const controlled = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve));
    await navigator.serviceWorker.register('worker');
    if (!navigator.serviceWorker.controller) await controlled;
`;

/** A document that does something first, and registers the service worker. */
export const installs = (more = ''): string => more + controls;

/** A cache of Cache Storage, and what puts the file `resource` into it. */
export const storeName = 'the-store';
export const fillsStore = `await (await caches.open('${storeName}')).add('resource');`;
