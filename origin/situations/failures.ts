import { image, page, script, storable, text, unstorable, visit } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const reads = (url: string, options = '{}') => page(`await ended(read(${url}, ${options}));`);
const foreign = `elsewhere + 'resource'`;
const failed = {
  steps: [visit('page')],
  judged: 'resource',
  truth: { answer: 'failed' },
} as const;
const refused = (name: string, run: string, resource: ServedFile, status = 200): Situation => ({
  ...failed,
  name,
  files: { page: page(run), resource },
  atOrigin: [status],
});

/** A response came, and the page gets nothing or a part of it. */
export const failures: readonly Situation[] = [
  { ...refused('failed-cors', '', text()), files: { page: reads(foreign), resource: text() } },
  {
    ...refused('failed-cors-from-disk', '', text()),
    files: {
      fill: page(`await ended(read(${foreign}, { mode: 'no-cors' }));`),
      page: reads(foreign),
      resource: text(),
    },
    steps: [visit('fill'), visit('page')],
    atOrigin: [],
  },
  refused('failed-cors-script', `await ended(script(${foreign}, { crossOrigin: '' }));`, script()),
  refused(
    'failed-preflight',
    `await ended(read(${foreign}, { method: 'PUT', body: 'a' }));`,
    text({ headers: unstorable }),
  ),
  refused(
    'failed-policy-of-resource',
    `await ended(image(${foreign}));`,
    image({ headers: { ...storable, 'cross-origin-resource-policy': 'same-origin' } }),
  ),
  {
    ...refused(
      'network-nosniff',
      `await ended(script('resource'));`,
      text({
        contentType: 'image/png',
        headers: { ...unstorable, 'x-content-type-options': 'nosniff' },
      }),
    ),
    truth: { answer: 'network' },
  },
  refused('failed-frame-refused', `await ended(load('iframe', { src: 'resource' }));`, {
    ...page(''),
    headers: { ...unstorable, 'x-frame-options': 'DENY' },
  }),
  {
    ...refused('network-cut-body', '', text()),
    truth: { answer: 'network' },
    files: {
      page: reads(`'resource'`),
      resource: text({ headers: unstorable, cutAfterBytes: 1000 }),
    },
  },
  {
    ...failed,
    name: 'failed-redirect-loop',
    files: {
      page: reads(`'resource'`),
      resource: text({ status: 302, headers: { ...unstorable, location: 'resource' } }),
    },
  },
  {
    ...failed,
    name: 'failed-not-cached',
    files: {
      page: reads(`'resource'`, `{ cache: 'only-if-cached', mode: 'same-origin' }`),
      resource: text(),
    },
    atOrigin: [],
  },
  {
    ...failed,
    name: 'failed-given-up',
    files: {
      page: page(`
        const asking = new AbortController();
        const read = fetch('resource', { signal: asking.signal });
        await fetch('asked');
        asking.abort();
        await ended(read);
        await fetch('over');
      `),
      resource: text({ headers: unstorable, waitsFor: { file: 'over', status: 200 } }),
      over: text({ headers: unstorable }),
      asked: text({ headers: unstorable }),
    },
  },
  {
    ...refused(
      'network-integrity-broken',
      `await ended(script('resource', { integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }));`,
      script({ headers: unstorable }),
    ),
    truth: { answer: 'network' },
  },
];
