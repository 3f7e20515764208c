import { doneFile, type ServedFile, type Step } from './situation.ts';

export const storable = { 'cache-control': 'max-age=3600' } as const;
export const unstorable = { 'cache-control': 'no-store' } as const;
/** May be stored, and must be confirmed before each use. */
export const confirmed = { 'cache-control': 'no-cache' } as const;

/** A visit in the tab at hand. */
export const visit = (file: string): Step => ({ kind: 'visit', file });
/** A visit in a new tab: a new renderer, whose memory cache is empty. */
export const visitInNewTab = (file: string): Step => ({ kind: 'visit', file, inNewTab: true });

/** The steps of many situations. */
export const once = [visit('page')];
export const twice = [visit('page'), visit('page')];
export const thenInNewTab = [visit('page'), visitInNewTab('page')];
export const thenReload: readonly Step[] = [visit('page'), { kind: 'reload' }];
export const afterFill = [visit('fill'), visit('page')];
export const twiceAfterFill = [visit('fill'), visit('page'), visit('page')];

/** Words that the scripts of documents may use. */
const words = `
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const read = async (url, options) => (await fetch(url, options)).text();
  const load = (tag, attributes) =>
    new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.onload = resolve;
      element.onerror = () => reject(new Error('cannot load ' + tag));
      document.body.append(element);
    });
  const ended = (promise) => promise.catch(() => undefined);
  const xhr = (url) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.onloadend = resolve;
      request.send();
    });
  const timed = async (url) => {
    while (performance.getEntriesByName(url).length === 0) await pause(20);
  };
  const parsed = async (markup, url) => {
    document.body.insertAdjacentHTML('beforeend', markup);
    await timed(url);
  };
  const played = (tag, src) =>
    new Promise((resolve) => {
      const element = Object.assign(document.createElement(tag), { preload: 'auto', src });
      element.oncanplaythrough = element.onerror = resolve;
      document.body.append(element);
    });
  const tracked = (src) =>
    new Promise((resolve) => {
      const track = Object.assign(document.createElement('track'), { src, default: true });
      track.onload = track.onerror = resolve;
      const video = document.createElement('video');
      video.append(track);
      document.body.append(video);
      track.track.mode = 'hidden';
    });
  const script = (src, more) => load('script', { src, ...more });
  const style = (href) => load('link', { rel: 'stylesheet', href });
  const image = (src, more) => load('img', { src, ...more });
  const done = () => fetch('${doneFile}', { method: 'POST' });
  const here = new URL('.', location.href).href;
  const elsewhere = here.replace('127.0.0.1', 'localhost');
`;

export interface DocumentOptions {
  /** Markup for the head. */
  head?: string;
  headers?: Readonly<Record<string, string>>;
  /** The document goes on to another, which tells the origin in its place. */
  isPassage?: boolean;
}

/** A document that runs a script when it has loaded, and then tells the origin that it has done so. */
export function page(run: string, options: DocumentOptions = {}): ServedFile {
  const { head = '', headers = unstorable, isPassage = false } = options;
  return {
    contentType: 'text/html; charset=utf-8',
    headers,
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A situation</title><link rel="icon" href="data:,">${head}</head>
<body><script>
  ${words}
  addEventListener('load', async () => {
    ${run}
    ${isPassage ? '' : 'await done();'}
  });
</script></body>
</html>
`,
  };
}

/** Documents that ask for the file `resource`. */
export const readsResource = page(`await read('resource');`);
export const runsResource = page(`await script('resource');`);

/** Long enough that its size in any coding differs from that of its headers. */
const filler = 'and so it goes on, line by line, as a resource does\n'.repeat(100);

export function text(more: Partial<ServedFile> = {}): ServedFile {
  return { contentType: 'text/plain; charset=utf-8', body: filler, headers: storable, ...more };
}

export function script(more: Partial<ServedFile> = {}): ServedFile {
  const body = `/* ${filler} */ globalThis.loaded = true;\n`;
  return { contentType: 'text/javascript; charset=utf-8', body, headers: storable, ...more };
}

export function style(more: Partial<ServedFile> = {}): ServedFile {
  const body = `/* ${filler} */ body { color: black }\n`;
  return { contentType: 'text/css; charset=utf-8', body, headers: storable, ...more };
}

export function image(more: Partial<ServedFile> = {}): ServedFile {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ${filler} --></svg>`;
  return { contentType: 'image/svg+xml', body, headers: storable, ...more };
}
