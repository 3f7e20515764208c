import {
  type Answer,
  type Credentials,
  type Field,
  ofOneFile,
  type Read,
  reads,
  topic,
} from '../situation.ts';

const small = { body: 'small' } as const satisfies Answer;
const foreign: Read = { elsewhere: true };
const refused: Read = { elsewhere: true, must: 'fail' };
const unshared = ['Access-Control-Allow-Origin'];
const opaque: Read = { elsewhere: true, init: { mode: 'no-cors' } };
const withCredentials = (credentials: Credentials, more: Read = {}): Read => ({
  ...foreign,
  ...more,
  init: { credentials },
});
const script = (more: Read = {}): Read => ({ by: 'script', page: 'second', ...more });
const second = { pages: { second: {} } } as const;

/** Subresource Integrity: a stored response is checked as one from the network. */
const integrity = topic('integrity', [
  ofOneFile('fetch with the right hash', {}, reads({ integrity: 'right' }, { integrity: 'right' })),
  ofOneFile('fetch with a wrong hash', {}, reads({ integrity: 'wrong', must: 'fail' }, {})),
  ofOneFile('wrong hash of a stored response', {}, [
    ...reads({}, { integrity: 'wrong', must: 'fail' }, {}),
  ]),
  ofOneFile(
    'script with a wrong hash, after the right one',
    small,
    reads(script({ integrity: 'right' }), script({ integrity: 'wrong', must: 'fail' })),
    second,
  ),
  ofOneFile(
    'script with the right hash, after a wrong one',
    small,
    reads(script({ integrity: 'wrong', must: 'fail' }), script({ integrity: 'right' })),
    second,
  ),
  ofOneFile(
    'script twice, and after a reload (memory cache)',
    small,
    [
      ...reads(script({ integrity: 'right' }), script({ integrity: 'right' })),
      { kind: 'reload', page: 'second' },
      ...reads(script({ integrity: 'right' })),
    ],
    second,
  ),
]);

/** The Fetch standard's checks of a response for another origin hold for a stored one too. */
const crossOrigin = topic('CORS and CORP', [
  ofOneFile('no-cors (opaque) from another site, then CORS', {}, reads(opaque, foreign, foreign)),
  ofOneFile('CORS from another site, twice', small, reads(foreign, foreign)),
  ofOneFile('no CORS', { ...small, without: unshared }, reads(refused, refused)),
  ofOneFile('no CORS, stored by a no-cors request', { ...small, without: unshared }, [
    ...reads(opaque, refused),
  ]),
  ofOneFile(
    'no CORS, stored by a page of its site',
    { ...small, without: unshared },
    reads({ page: 'own', elsewhere: true }, refused),
    { pages: { own: { elsewhere: true } } },
  ),
  ofOneFile(
    'CORS for another origin, stored',
    { ...small, fields: [['Access-Control-Allow-Origin', 'http://127.0.0.1:1']] },
    reads(opaque, refused),
  ),
  ofOneFile('credentials with CORS for all', small, [
    ...reads(foreign, withCredentials('include', { must: 'fail' })),
  ]),
  ofOneFile('with credentials, and without', { ...small, allowsCredentials: true }, [
    ...reads(withCredentials('include'), withCredentials('omit'), withCredentials('include')),
  ]),
  ofOneFile('without credentials, and with', { ...small, allowsCredentials: true }, [
    ...reads(withCredentials('omit'), withCredentials('include'), withCredentials('omit')),
  ]),
  ofOneFile('with credentials, and without, same origin', small, [
    ...reads({ init: { credentials: 'include' } }, { init: { credentials: 'omit' } }),
  ]),
  ofOneFile('preflight that is refused, of a stored response', { ...small, without: unshared }, [
    ...reads(opaque, { ...refused, init: { headers: { 'X-Other': '1' } } }),
  ]),
  ofOneFile('preflight, of a stored response', small, [
    ...reads(foreign, { ...foreign, init: { headers: { 'X-Other': '1' } } }),
  ]),
  ...(['same-origin', 'same-site', 'cross-origin'] as const).map((policy) =>
    ofOneFile(
      `Cross-Origin-Resource-Policy: ${policy}, stored by a page of its site`,
      { ...small, fields: [['Cross-Origin-Resource-Policy', policy]] },
      reads({ page: 'own', elsewhere: true }, { ...opaque, mayFail: true }),
      { pages: { own: { elsewhere: true } } },
    ),
  ),
  ofOneFile(
    'script with nosniff and another type, stored by fetch',
    {
      ...small,
      fields: [
        ['Content-Type', 'text/plain'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
    },
    reads({}, script({ must: 'fail' })),
    second,
  ),
  ofOneFile(
    'page that requires CORP, stored without it',
    { ...small, without: unshared },
    reads(opaque, { ...opaque, page: 'isolated', must: 'fail' }),
    {
      pages: {
        isolated: {
          fields: [
            ['Cross-Origin-Embedder-Policy', 'require-corp'],
            ['Cross-Origin-Opener-Policy', 'same-origin'],
          ],
        },
      },
    },
  ),
]);

const guarded = (policy: string) => ({
  pages: { guarded: { fields: [['Content-Security-Policy', policy]] as Field[] } },
});

/** A policy of the document holds for a stored response too. */
const policies = topic('Content-Security-Policy', [
  ofOneFile(
    'connect-src, of a stored response',
    small,
    reads({}, { page: 'guarded', must: 'fail' }, {}),
    guarded(`connect-src 'none'`),
  ),
  ofOneFile(
    'script-src, of a stored response',
    small,
    reads({}, { by: 'script', page: 'guarded', must: 'fail' }),
    guarded(`script-src 'none'`),
  ),
  ofOneFile(
    'script-src with the hash of a stored response',
    small,
    reads({}, { by: 'script', page: 'guarded', integrity: 'right' }),
    guarded(`script-src 'self'`),
  ),
]);

const otherTop = { pages: { foreign: { elsewhere: true } } } as const;

/** The cache is partitioned by the site of the top-level page. */
const partitions = topic('partitions', [
  ofOneFile(
    'the same URL from another site (partition)',
    {},
    reads({}, {}, { page: 'foreign', must: 'ask' }, { page: 'foreign' }),
    otherTop,
  ),
  ofOneFile(
    'stored redirect from another site (partition)',
    small,
    reads({ page: 'foreign' }, { must: 'ask' }),
    otherTop,
  ),
  ofOneFile(
    'body that changes, from another site (partition)',
    { ...small, changes: true },
    reads({}, { page: 'foreign', must: 'ask' }, {}),
    otherTop,
  ),
  ofOneFile(
    'only-if-cached in another partition',
    small,
    reads(
      { page: 'own', elsewhere: true },
      { must: 'fail', elsewhere: true, init: { cache: 'only-if-cached', mode: 'cors' } },
    ),
    { pages: { own: { elsewhere: true } } },
  ),
  ofOneFile(
    'a second page of the same site',
    small,
    reads({}, { page: 'second' }, { page: 'second' }),
    second,
  ),
]);

/** What pages may read, and what they must not. */
export const access = [...integrity, ...crossOrigin, ...policies, ...partitions];
