import {
  fresh,
  image,
  outcome,
  sameDocument,
  script,
  situation,
  style,
  text,
  waitsFor,
} from './page.ts';
import type { Situation } from './situation.ts';

const over = waitsFor('resource');
const preloads = (as: string) => `
  await load('link', { rel: 'preload', as: '${as}', crossOrigin: '${as === 'fetch' ? 'anonymous' : ''}', href: 'resource' });`;
const hidden = { hasNoEntry: true };
const inUrl = (kind: 'data' | 'blob', name: string, run: string, more: Partial<Situation> = {}) =>
  situation(name, 'once', outcome(kind, [], { judged: `${kind}:`, ...more }), { page: run });
const shadow = `
  const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  await new Promise((resolve) => {
    root.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'resource', onload: resolve }));
  });`;

/** What few witnesses report, or none. */
export const rarelySeen: readonly Situation[] = [
  situation('download', 'once', outcome('network', [200]), {
    page: `Object.assign(document.createElement('a'), { href: 'resource', download: 'a' }).click();
      await read('over');`,
    resource: text(fresh),
    over,
  }),
  situation('navigation-without-content', 'once', outcome('network', [204]), {
    page: `location.href = 'resource'; await read('over');`,
    resource: text({ ...fresh, status: 204, body: '' }),
    over: waitsFor('resource', 204),
  }),
  inUrl(
    'data',
    'data-url-font',
    `
    await ended(new FontFace('a', 'url(data:font/woff2;base64,d09GMgABAAAAAA==)').load());`,
  ),
  inUrl(
    'data',
    'data-url-background',
    `
    document.body.insertAdjacentHTML('beforeend',
      '<p style="background-image: url(data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=)">words</p>');
    await pause(100);`,
  ),
  inUrl('data', 'data-url-import', `await import('data:text/javascript,export default 1');`),
  inUrl(
    'blob',
    'blob-url-import',
    `
    await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })));`,
  ),
  situation('preload-then-fetch', 'once', outcome('preload', [200], hidden), {
    page: `${preloads('fetch')} await read('resource');`,
    resource: text(),
  }),
  situation('preload-then-at-import', 'once', outcome('disk', [200], { uses: 2 }), {
    page: `${preloads('style')} await load('style', { textContent: '@import url(resource)' });`,
    resource: style(),
  }),
  situation('modulepreload-then-import', 'once', outcome('preload', [200], hidden), {
    page: `await load('link', { rel: 'modulepreload', href: 'resource' }); await import(here + 'resource');`,
    resource: script(),
  }),
  situation('new-image-then-element', 'once', sameDocument, {
    page: `
      await new Promise((resolve) => { Object.assign(new Image(), { src: 'resource', onload: resolve }); });
      await image('resource');`,
    resource: image(),
  }),
  situation('style-in-two-shadow-roots', 'once', sameDocument, {
    page: `{ ${shadow} } { ${shadow} }`,
    resource: style(),
  }),
];
