import type { Answer } from '@cachescope/model/attribution/answer.ts';
import {
  conditional,
  fresh,
  type Came,
  image,
  outcome,
  outcomeOf,
  page,
  revalidated,
  script,
  situation,
  storable,
  text,
  unstorable,
  visit,
  waitsFor,
} from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const redirect = (status: number, headers: Readonly<Record<string, string>>) =>
  text({ status, body: '', headers: { ...headers, location: 'resource' } });
const kept = redirect(301, storable);
const passing = redirect(302, unstorable);

function redirected(
  name: string,
  came: Came,
  moved: ServedFile,
  resource: ServedFile,
  document = `await read('moved');`,
): Situation {
  const files = { page: document, moved, resource };
  // Resource Timing and the others name the URL that was asked for.
  const judged = { judged: 'moved', target: 'resource' };
  return situation(`redirect-${name}`, 'twice', { ...outcomeOf(came), ...judged }, files);
}

/** A redirect and its target, each from the network or from the cache. The target is judged. */
export const redirects: readonly Situation[] = [
  redirected('from-disk', 'disk', kept, text()),
  redirected('from-network-to-disk', 'disk', passing, text()),
  redirected('from-disk-to-network', 'network', kept, text(fresh)),
  redirected('to-revalidated', revalidated, passing, text(conditional)),
  redirected('script-in-memory', 'memory', kept, script(), `await script('moved');`),
];

const withRanges = (more: Partial<ServedFile> = {}) =>
  text({ hasRanges: true, isConditional: true, ...more });
const readsRange = (range = '') =>
  `await ended(read('resource'${range && `, { headers: { range: 'bytes=${range}' } }`}));`;

/** Reads ranges in one document after another; the last is judged. */
function ranged(
  name: string,
  answer: Answer,
  ranges: readonly string[],
  atOrigin: readonly number[],
  resource: ServedFile = withRanges(),
): Situation {
  const documents = ranges.map((range, index) => [`page-${index}`, readsRange(range)] as const);
  const steps = documents.map(([file]) => visit(file));
  const files = { ...Object.fromEntries(documents), resource };
  return situation(`range-${name}`, steps, outcome(answer, atOrigin), files);
}

/** 206 (RFC 9110 section 15.3.7), and bodies of which the cache has a part. `''`: the whole. */
export const ranges: readonly Situation[] = [
  ranged('from-network', 'network', ['0-999'], [206]),
  ranged('from-disk', 'disk', ['0-999', '0-999'], []),
  ranged('within-range-on-disk', 'disk', ['0-1999', '500-999'], []),
  ranged('of-whole-on-disk', 'disk', ['', '1000-1999'], []),
  ranged('beside-range-on-disk', 'network', ['0-999', '2000-2999'], [206]),
  ranged('half-on-disk', 'mixed', ['0-1999', '0-3999'], [206]),
  ranged('end-on-disk', 'mixed', ['2000-3999', '0-3999'], [206]),
  ranged('unstorable', 'network', ['0-999', '0-999'], [206], withRanges(fresh)),
  ranged('not-supported', 'network', ['0-999'], [200], text(fresh)),
  ranged('resumed-download', 'mixed', ['', ''], [206, 206], withRanges({ cutAfterBytes: 2000 })),
];

const reads = (url: string, options = '{}') => `await ended(read(${url}, ${options}));`;
const own = `'resource'`;
const foreign = `elsewhere + 'resource'`;
const failed = { truth: { answer: 'failed' } } as const;
const refused = { ...failed, atOrigin: [200] } as const;
const unanswered = { ...failed, atOrigin: [] } as const;

/** A document that runs this once, and the resource that it asks for. */
const attempt = (name: string, came: Came, run: string, resource: ServedFile) =>
  situation(name, 'once', came, { page: run, resource });

/** A response came, and the page gets nothing or a part of it. */
export const failures: readonly Situation[] = [
  attempt('failed-cors', refused, reads(foreign), text()),
  situation('failed-cors-from-disk', 'afterFill', unanswered, {
    fill: reads(foreign, `{ mode: 'no-cors' }`),
    page: reads(foreign),
    resource: text(),
  }),
  attempt(
    'failed-cors-script',
    refused,
    `await ended(script(${foreign}, { crossOrigin: '' }));`,
    script(),
  ),
  attempt('failed-preflight', refused, reads(foreign, `{ method: 'PUT', body: 'a' }`), text(fresh)),
  attempt(
    'failed-policy-of-resource',
    refused,
    `await ended(image(${foreign}));`,
    image({ headers: { ...storable, 'cross-origin-resource-policy': 'same-origin' } }),
  ),
  attempt(
    'network-nosniff',
    'network',
    `await ended(script('resource'));`,
    text({
      contentType: 'image/png',
      headers: { ...unstorable, 'x-content-type-options': 'nosniff' },
    }),
  ),
  // Twice: DevTools lists each of them twice, as itself and as the error page that replaces it.
  attempt(
    'failed-frame-refused',
    { ...failed, atOrigin: [200, 200], uses: 2 },
    `const frame = () => ended(load('iframe', { src: 'resource' }));
    await Promise.all([frame(), frame()]);`,
    page('', { headers: { ...unstorable, 'x-frame-options': 'DENY' } }),
  ),
  attempt('network-cut-body', 'network', reads(own), text({ ...fresh, cutAfterBytes: 1000 })),
  attempt(
    'failed-redirect-loop',
    failed,
    reads(own),
    text({ status: 302, headers: { ...unstorable, location: 'resource' } }),
  ),
  attempt(
    'failed-not-cached',
    unanswered,
    reads(own, `{ cache: 'only-if-cached', mode: 'same-origin' }`),
    text(),
  ),
  situation('failed-given-up', 'once', failed, {
    page: `
        const asking = new AbortController();
        const read = fetch('resource', { signal: asking.signal });
        await fetch('asked');
        asking.abort();
        await ended(read);
        await fetch('over');
      `,
    resource: waitsFor('over'),
    over: text(fresh),
    asked: text(fresh),
  }),
  attempt(
    'network-integrity-broken',
    'network',
    `await ended(script('resource', { integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }));`,
    script(fresh),
  ),
];
