import type { Answer } from '@cachescope/model/attribution/answer.ts';
import {
  doneFile,
  type Outcome,
  type ServedFile,
  type Situation,
  type Step,
  type Truth,
} from './situation.ts';

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

/** Statuses at the origin, where the answer alone decides on them. */
const usual: Partial<Record<Answer, readonly number[]>> = {
  network: [200],
  disk: [],
  memory: [],
  'revalidated/http-cache': [304],
};

export const truthOf = (truth: Answer | Truth): Truth =>
  typeof truth === 'string' ? { answer: truth } : truth;

/** What comes of a situation: the truth, and the statuses that the origin sends. */
export function outcome(
  told: Answer | Truth,
  atOrigin?: readonly number[],
  more: Partial<Situation> = {},
): Outcome & Partial<Situation> {
  const truth = truthOf(told);
  const statuses = atOrigin ?? usual[truth.answer];
  return { truth, ...(statuses && { atOrigin: statuses }), ...more };
}

/** An outcome, or the answer that decides on it. */
export type Came = Answer | (Outcome & Partial<Situation>);
export const outcomeOf = (came: Came): Outcome & Partial<Situation> =>
  typeof came === 'string' ? outcome(came) : came;

export const revalidated = outcome('revalidated/http-cache');
/** The renderer confirms what it has in memory; or the HTTP cache does, when the renderer holds it no more. */
export const revalidatedInMemory = outcome('revalidated/memory-cache', [304], {
  validatorFrom: 'renderer',
  otherwise: [{ ...revalidated, validatorFrom: 'http-cache' }],
});
/** The same of the document itself, in the file `page`. */
export const ofDocument = (came: Came) => ({ ...outcomeOf(came), judged: 'page' });
/** A second use of a response in its document: no request of its own, and no entry. */
export const sameDocument = outcome('same-document', [200], { hasNoEntry: true });

/** A visit in the tab at hand. */
export const visit = (file: string): Step => ({ kind: 'visit', file });
/** A visit in a new tab: a new renderer, whose memory cache is empty. */
const visitInNewTab = (file: string): Step => ({ kind: 'visit', file, inNewTab: true });

/** The steps of many situations, by name. */
const steps = {
  once: [visit('page')],
  twice: [visit('page'), visit('page')],
  thenInNewTab: [visit('page'), visitInNewTab('page')],
  thenReload: [visit('page'), { kind: 'reload' }],
  afterFill: [visit('fill'), visit('page')],
  twiceAfterFill: [visit('fill'), visit('page'), visit('page')],
} as const satisfies Record<string, readonly Step[]>;
/** Steps, or their name. */
export type Steps = keyof typeof steps | readonly Step[];
export const stepsOf = (named: Steps): readonly Step[] =>
  typeof named === 'string' ? steps[named] : named;

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

/** What the origin serves, by file name. A text is the script of a document. */
export type Files = Readonly<Record<string, ServedFile | string>>;

/** A situation whose file `resource` is judged, unless `came` names another. */
export function situation(name: string, steps: Steps, came: Came, files: Files): Situation {
  const all = Object.entries(files).map(
    ([fileName, file]) => [fileName, typeof file === 'string' ? page(file) : file] as const,
  );
  return {
    judged: 'resource',
    name,
    steps: stepsOf(steps),
    files: Object.fromEntries(all),
    ...outcomeOf(came),
  };
}
