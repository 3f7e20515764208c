import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { doneFile, type Outcome, type ServedFile, type Situation, type Step } from './situation.ts';

export const storable = { 'cache-control': 'max-age=3600' } as const;
export const unstorable = { 'cache-control': 'no-store' } as const;
/** May be stored, and must be confirmed before each use. */
export const confirmed = { 'cache-control': 'no-cache' } as const;

/** Served and never stored. */
export const fresh = { headers: unstorable } as const;
/** Served with an ETag, and confirmed before each use. */
export const conditional = { isConditional: true, headers: confirmed } as const;
/** Any site may read it, and its times and sizes. */
export const shared = { 'access-control-allow-origin': '*' } as const;
export const timed = { ...shared, 'timing-allow-origin': '*' } as const;

/** What comes of a situation: the true answer, and the statuses that the origin sends. */
export const outcome = (
  answer: Answer,
  atOrigin: readonly number[],
  more: Partial<Situation> = {},
): Outcome & Partial<Situation> => ({ truth: { answer }, atOrigin, ...more });

/** Outcomes of many situations, by the answer that is true. */
export const network = outcome('network', [200]);
export const disk = outcome('disk', []);
export const memory = outcome('memory', []);
export const revalidated = outcome('revalidated/http-cache', [304]);
/** The renderer confirms what it has in memory; or the HTTP cache does, when the renderer holds it no more. */
export const revalidatedInMemory = outcome('revalidated/memory-cache', [304], {
  validatorFrom: 'renderer',
  otherwise: [{ ...revalidated, validatorFrom: 'http-cache' }],
});
/** The same of the document itself, in the file `page`. */
export const ofDocument = (of: Outcome) => ({ ...of, judged: 'page' });
/** A second use of a response in its document: no request of its own, and no entry. */
export const sameDocument = outcome('same-document', [200], { hasNoEntry: true });

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

export interface DocumentOptions extends Partial<ServedFile> {
  /** Markup for the head. */
  head?: string;
  /** The document goes on to another, which tells the origin in its place. */
  isPassage?: boolean;
}

/** A document that runs a script when it has loaded, and then tells the origin that it has done so. */
export function page(run: string, options: DocumentOptions = {}): ServedFile {
  const { head = '', isPassage = false, ...more } = options;
  return {
    contentType: 'text/html; charset=utf-8',
    headers: unstorable,
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
    ...more,
  };
}

/** Makes files of one type, storable unless `more` says otherwise. */
export const served =
  (contentType: string, body: string) =>
  (more: Partial<ServedFile> = {}): ServedFile => ({
    contentType,
    body,
    headers: storable,
    ...more,
  });

/** Long enough that its size in any coding differs from that of its headers. */
const filler = 'and so it goes on, line by line, as a resource does\n'.repeat(100);

export const text = served('text/plain; charset=utf-8', filler);
export const script = served(
  'text/javascript; charset=utf-8',
  `/* ${filler} */ globalThis.loaded = true;\n`,
);
export const style = served('text/css; charset=utf-8', `/* ${filler} */ body { color: black }\n`);
export const image = served(
  'image/svg+xml',
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ${filler} --></svg>`,
);

/** Documents that ask for the file `resource`. */
export const readsResource = page(`await read('resource');`);
export const runsResource = page(`await script('resource');`);

/** Such a document with its resource. */
export const reads = (resource?: Partial<ServedFile>) => ({
  page: readsResource,
  resource: text(resource),
});
export const runs = (resource?: Partial<ServedFile>) => ({
  page: runsResource,
  resource: script(resource),
});

/** The answer to this file waits until the origin has answered a request for another file with this status. */
export const waitsFor = (file: string, status = 200): ServedFile =>
  text({ ...fresh, waitsFor: { file, status } });

/** A situation whose file `resource` is judged, unless `outcome` names another. A text is the script of a document. */
export function situation(
  name: string,
  steps: Situation['steps'],
  outcome: Outcome & Partial<Situation>,
  files: Readonly<Record<string, ServedFile | string>>,
): Situation {
  const all = Object.entries(files).map(
    ([fileName, file]) => [fileName, typeof file === 'string' ? page(file) : file] as const,
  );
  return { judged: 'resource', name, steps, files: Object.fromEntries(all), ...outcome };
}
