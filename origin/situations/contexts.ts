import { image, page, script, storable, text, unstorable, visit } from './page.ts';
import type { Situation } from './situation.ts';

const network = {
  steps: [visit('page')],
  judged: 'resource',
  truth: { answer: 'network' },
  atOrigin: [200],
} as const;
const resource = text({ headers: { ...unstorable, 'access-control-allow-origin': '*' } });
const inner = page(`await ended(read('resource')); parent.postMessage('ended', '*');`);
const waits = `await new Promise((resolve) => addEventListener('message', resolve));`;
const framed = (attributes: string) =>
  page(
    `document.body.append(Object.assign(document.createElement('iframe'), ${attributes})); ${waits}`,
  );
const picture = image({ headers: unstorable });

/** Documents and elements that hold others. */
export const contexts: readonly Situation[] = [
  {
    ...network,
    name: 'frame-fetch',
    files: { page: framed(`{ src: 'frame' }`), frame: inner, resource },
  },
  {
    ...network,
    name: 'frame-of-other-site-fetch',
    files: { page: framed(`{ src: elsewhere + 'frame' }`), frame: inner, resource },
  },
  {
    ...network,
    name: 'sandboxed-frame-fetch',
    files: {
      page: framed(`{ src: 'frame', sandbox: 'allow-scripts' }`),
      frame: inner,
      resource,
    },
  },
  {
    ...network,
    name: 'sandboxed-document-fetch',
    files: {
      page: page(`await read('resource');`, {
        headers: { ...unstorable, 'content-security-policy': 'sandbox allow-scripts' },
      }),
      resource,
    },
  },
  {
    ...network,
    name: 'blank-frame-fetch',
    files: {
      page: page(`
        const frame = document.body.appendChild(document.createElement('iframe'));
        await (await frame.contentWindow.fetch(here + 'resource')).text();`),
      resource,
    },
  },
  {
    ...network,
    name: 'srcdoc-frame-image',
    files: {
      page: page(`await load('iframe', { srcdoc: '<img src="' + here + 'resource">' });`),
      resource: picture,
    },
  },
  {
    ...network,
    name: 'embed',
    files: {
      page: page(`await load('embed', { src: 'resource', type: 'image/svg+xml' });`),
      resource: picture,
    },
  },
  {
    ...network,
    name: 'embed-document',
    files: {
      page: page(`await load('embed', { src: 'resource', type: 'text/html' });`),
      resource: { ...page(''), body: '<!doctype html><title>Embedded</title>'.repeat(9) },
    },
  },
  {
    ...network,
    name: 'object',
    files: {
      page: page(`await load('object', { data: 'resource', type: 'image/svg+xml' });`),
      resource: picture,
    },
  },
  {
    ...network,
    name: 'object-document',
    files: {
      page: page(`await load('object', { data: 'resource', type: 'text/html' });`),
      resource: { ...page(''), body: '<!doctype html><title>An object</title>'.repeat(9) },
    },
  },
  {
    ...network,
    name: 'preflighted-put',
    files: {
      page: page(`await read(elsewhere + 'resource', { method: 'PUT', body: 'a' });`),
      resource: text({
        headers: {
          ...unstorable,
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'PUT',
        },
      }),
    },
    atOrigin: [200, 200],
  },
  {
    ...network,
    name: 'post',
    files: { page: page(`await read('resource', { method: 'POST', body: 'a' });`), resource },
  },
  {
    ...network,
    name: 'beacon',
    files: {
      page: page(`navigator.sendBeacon('resource', 'a'); await read('over');`),
      resource,
      over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
    },
  },
  ...(['beacon', 'keepalive'] as const).map((kind): Situation => ({
    ...network,
    name: `${kind}-at-pagehide`,
    files: {
      page: page(`addEventListener('pagehide', () => {
        ${kind === 'beacon' ? `navigator.sendBeacon('resource', 'a')` : `fetch('resource', { keepalive: true })`};
      });`),
      resource,
      other: page(`await read('over');`),
      over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
    },
    steps: [visit('page'), visit('other')],
    loadOf: 'page',
  })),
  {
    ...network,
    name: 'open-media',
    files: {
      page: page(`
        document.body.append(Object.assign(new Audio(), { preload: 'auto', src: 'resource' }));
        await read('over');`),
      resource: text({ contentType: 'audio/wav', headers: unstorable, staysOpen: true }),
      over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
    },
  },
  {
    ...network,
    name: 'event-source',
    files: {
      page: page(`
        await new Promise((resolve) => {
          const source = new EventSource('resource');
          source.onmessage = () => { source.close(); resolve(); };
        });`),
      resource: text({
        contentType: 'text/event-stream',
        body: 'data: a\n\n',
        headers: unstorable,
      }),
    },
  },
  {
    ...network,
    name: 'web-socket',
    files: {
      page: page(`
        await new Promise((resolve) => {
          const socket = new WebSocket(here.replace('http', 'ws') + 'resource');
          socket.onopen = () => socket.close();
          socket.onclose = resolve;
        });`),
      resource: text({ isSocket: true }),
    },
    atOrigin: [101],
  },
  {
    ...network,
    name: 'registered-script',
    files: {
      page: page(`
        const { installing } = await navigator.serviceWorker.register('resource');
        await new Promise((resolve) => { installing.onstatechange = resolve; });`),
      resource: script({ headers: storable, body: 'self.isRegistered = true;' }),
    },
  },
];
