import { network } from './outcomes.ts';
import { image, once, page, script, storable, text, unstorable, visit } from './page.ts';
import { situation, type Situation } from './situation.ts';

const requested = (name: string, files: Situation['files'], more?: Partial<Situation>) =>
  situation(name, once, network, files, more);
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
  requested('frame-fetch', { page: framed(`{ src: 'frame' }`), frame: inner, resource }),
  requested('frame-of-other-site-fetch', {
    page: framed(`{ src: elsewhere + 'frame' }`),
    frame: inner,
    resource,
  }),
  requested('sandboxed-frame-fetch', {
    page: framed(`{ src: 'frame', sandbox: 'allow-scripts' }`),
    frame: inner,
    resource,
  }),
  requested('sandboxed-document-fetch', {
    page: page(`await read('resource');`, {
      headers: { ...unstorable, 'content-security-policy': 'sandbox allow-scripts' },
    }),
    resource,
  }),
  requested('blank-frame-fetch', {
    page: page(`
        const frame = document.body.appendChild(document.createElement('iframe'));
        await (await frame.contentWindow.fetch(here + 'resource')).text();`),
    resource,
  }),
  requested('srcdoc-frame-image', {
    page: page(`await load('iframe', { srcdoc: '<img src="' + here + 'resource">' });`),
    resource: picture,
  }),
  requested('embed', {
    page: page(`await load('embed', { src: 'resource', type: 'image/svg+xml' });`),
    resource: picture,
  }),
  requested('embed-document', {
    page: page(`await load('embed', { src: 'resource', type: 'text/html' });`),
    resource: { ...page(''), body: '<!doctype html><title>Embedded</title>'.repeat(9) },
  }),
  requested('object', {
    page: page(`await load('object', { data: 'resource', type: 'image/svg+xml' });`),
    resource: picture,
  }),
  requested('object-document', {
    page: page(`await load('object', { data: 'resource', type: 'text/html' });`),
    resource: { ...page(''), body: '<!doctype html><title>An object</title>'.repeat(9) },
  }),
  requested(
    'preflighted-put',
    {
      page: page(`await read(elsewhere + 'resource', { method: 'PUT', body: 'a' });`),
      resource: text({
        headers: {
          ...unstorable,
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'PUT',
        },
      }),
    },
    { atOrigin: [200, 200] },
  ),
  requested('post', {
    page: page(`await read('resource', { method: 'POST', body: 'a' });`),
    resource,
  }),
  requested('beacon', {
    page: page(`navigator.sendBeacon('resource', 'a'); await read('over');`),
    resource,
    over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
  }),
  ...(['beacon', 'keepalive'] as const).map((kind) =>
    requested(
      `${kind}-at-pagehide`,
      {
        page: page(`addEventListener('pagehide', () => {
        ${kind === 'beacon' ? `navigator.sendBeacon('resource', 'a')` : `fetch('resource', { keepalive: true })`};
      });`),
        resource,
        other: page(`await read('over');`),
        over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
      },
      { steps: [visit('page'), visit('other')], loadOf: 'page' },
    ),
  ),
  requested('open-media', {
    page: page(`
        document.body.append(Object.assign(new Audio(), { preload: 'auto', src: 'resource' }));
        await read('over');`),
    resource: text({ contentType: 'audio/wav', headers: unstorable, staysOpen: true }),
    over: text({ headers: unstorable, waitsFor: { file: 'resource', status: 200 } }),
  }),
  requested('event-source', {
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
  }),
  requested(
    'web-socket',
    {
      page: page(`
        await new Promise((resolve) => {
          const socket = new WebSocket(here.replace('http', 'ws') + 'resource');
          socket.onopen = () => socket.close();
          socket.onclose = resolve;
        });`),
      resource: text({ isSocket: true }),
    },
    { atOrigin: [101] },
  ),
  requested('registered-script', {
    page: page(`
        const { installing } = await navigator.serviceWorker.register('resource');
        await new Promise((resolve) => { installing.onstatechange = resolve; });`),
    resource: script({ headers: storable, body: 'self.isRegistered = true;' }),
  }),
];
