import { network } from './outcomes.ts';
import { afterFill, image, once, page, script, storable, text, unstorable } from './page.ts';
import { type ServedFile, situation, type Situation } from './situation.ts';

const reads = (url: string, options = '{}') => `await ended(read(${url}, ${options}));`;
const foreign = `elsewhere + 'resource'`;
const failed = { truth: { answer: 'failed' } } as const;
const refused = { ...failed, atOrigin: [200] } as const;
const unanswered = { ...failed, atOrigin: [] } as const;

/** A document that runs this, and the resource that it asks for. */
const files = (run: string, resource: ServedFile) => ({ page: page(run), resource });

/** A response came, and the page gets nothing or a part of it. */
export const failures: readonly Situation[] = [
  situation('failed-cors', once, refused, files(reads(foreign), text())),
  situation('failed-cors-from-disk', afterFill, unanswered, {
    fill: page(reads(foreign, `{ mode: 'no-cors' }`)),
    ...files(reads(foreign), text()),
  }),
  situation(
    'failed-cors-script',
    once,
    refused,
    files(`await ended(script(${foreign}, { crossOrigin: '' }));`, script()),
  ),
  situation(
    'failed-preflight',
    once,
    refused,
    files(reads(foreign, `{ method: 'PUT', body: 'a' }`), text({ headers: unstorable })),
  ),
  situation(
    'failed-policy-of-resource',
    once,
    refused,
    files(
      `await ended(image(${foreign}));`,
      image({ headers: { ...storable, 'cross-origin-resource-policy': 'same-origin' } }),
    ),
  ),
  situation(
    'network-nosniff',
    once,
    network,
    files(
      `await ended(script('resource'));`,
      text({
        contentType: 'image/png',
        headers: { ...unstorable, 'x-content-type-options': 'nosniff' },
      }),
    ),
  ),
  situation(
    'failed-frame-refused',
    once,
    refused,
    files(`await ended(load('iframe', { src: 'resource' }));`, {
      ...page(''),
      headers: { ...unstorable, 'x-frame-options': 'DENY' },
    }),
  ),
  situation(
    'network-cut-body',
    once,
    network,
    files(reads(`'resource'`), text({ headers: unstorable, cutAfterBytes: 1000 })),
  ),
  situation(
    'failed-redirect-loop',
    once,
    failed,
    files(
      reads(`'resource'`),
      text({ status: 302, headers: { ...unstorable, location: 'resource' } }),
    ),
  ),
  situation(
    'failed-not-cached',
    once,
    unanswered,
    files(reads(`'resource'`, `{ cache: 'only-if-cached', mode: 'same-origin' }`), text()),
  ),
  situation('failed-given-up', once, failed, {
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
  }),
  situation(
    'network-integrity-broken',
    once,
    network,
    files(
      `await ended(script('resource', { integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }));`,
      script({ headers: unstorable }),
    ),
  ),
];
