import { once, page } from './page.ts';
import { situation, type Situation } from './situation.ts';

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

const made = (type: string, body: string) =>
  `URL.createObjectURL(new Blob([${body}], { type: '${type}' }))`;
const uses: Readonly<Record<string, (url: string) => string>> = {
  fetch: (url) => `await read(${url});`,
  worker: (url) => `await new Promise((resolve) => { new Worker(${url}).onmessage = resolve; });`,
};
const words = `'postMessage(1)'`;
const urls = {
  data: `'data:text/javascript,' + encodeURIComponent(${words})`,
  blob: made('text/javascript', words),
} as const;

const used = (kind: 'data' | 'blob', name: string, run: string, more: Partial<Situation> = {}) =>
  situation(
    name,
    once,
    { truth: { answer: kind }, atOrigin: [] },
    { page: page(run) },
    { judged: `${kind}:`, ...more },
  );

/** What is in the URL itself. */
export const inUrl: readonly Situation[] = [
  used(
    'data',
    'data-url',
    `await image('data:image/svg+xml,' + encodeURIComponent('${picture}'));`,
    { hasNoEntry: true },
  ),
  used('blob', 'blob-url', `await image(${made('image/svg+xml', `'${picture}'`)});`, {
    hasNoEntry: true,
  }),
  ...(['data', 'blob'] as const).flatMap((kind) =>
    Object.entries(uses).map(([use, run]) => used(kind, `${kind}-url-${use}`, run(urls[kind]))),
  ),
];
