import { page, visit } from './page.ts';
import type { Situation } from './situation.ts';

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

const inUrlKinds = (['data', 'blob'] as const).flatMap((answer) =>
  Object.entries(uses).map(([kind, run]): Situation => ({
    name: `${answer}-url-${kind}`,
    files: { page: page(run(urls[answer])) },
    steps: [visit('page')],
    judged: `${answer}:`,
    truth: { answer },
    atOrigin: [],
  })),
);

/** What is in the URL itself. */
export const inUrl: readonly Situation[] = [
  {
    name: 'data-url',
    files: { page: page(`await image('data:image/svg+xml,' + encodeURIComponent('${picture}'));`) },
    steps: [visit('page')],
    judged: 'data:',
    hasNoEntry: true,
    truth: { answer: 'data' },
    atOrigin: [],
  },
  {
    name: 'blob-url',
    files: {
      page: page(
        `await image(URL.createObjectURL(new Blob(['${picture}'], { type: 'image/svg+xml' })));`,
      ),
    },
    steps: [visit('page')],
    judged: 'blob:',
    hasNoEntry: true,
    truth: { answer: 'blob' },
    atOrigin: [],
  },
  ...inUrlKinds,
];
