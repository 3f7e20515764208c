import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLoad, hostileText } from '../fixtures/arbitrary-load.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import type { DictionaryReason } from './reason.ts';
import { dictionariesOf, dictionaryUse, type DictionaryUse } from './use.ts';
import type { Load, Resource } from '../load/load.ts';

type Fields = Record<string, string>;

const startedAt = '2026-11-20T23:00:00.000Z';
const hash = createHash('sha256').update('the dictionary').digest();
/** Header fields that Chromium 156 sends with a request that a dictionary matches. */
const offered: Fields = {
  'Accept-Encoding': 'gzip, deflate, br, zstd, dcb, dcz',
  'available-dictionary': `:${hash.toString('base64')}:`,
  'Sec-Fetch-Dest': 'script',
};
const plain: Fields = { 'Accept-Encoding': 'gzip, deflate, br, zstd', 'Sec-Fetch-Dest': 'script' };
const cached = { 'cache-control': 'max-age=3600' };

function resource(url: string, sent: Fields, received: Fields, change: Partial<Resource> = {}) {
  const [made] = madeUpLoad({ count: 1 }).resources;
  if (!made) throw new Error('no resource');
  return {
    ...made,
    url,
    type: 'script' as const,
    coding: received['content-encoding'] ?? 'identity',
    startMs: 0,
    durationMs: 10,
    decodedBytes: 900,
    requestHeaders: Object.entries(sent),
    responseHeaders: Object.entries(received),
    evidence: {
      scheme: 'https',
      devtools: { status: 200, transferSize: 400, fetchedViaServiceWorker: false },
    },
    ...change,
  };
}

function load(resources: Resource[], url = 'https://shop.example/'): Load {
  return { ...madeUpLoad(), startedAt, url, resources };
}

const dictionaryUrl = 'https://shop.example/app/v1.js';

/** A load that received a dictionary, announced by `offer`. */
function offering(offer: string, received: Fields = cached, change: Partial<Resource> = {}): Load {
  return load([
    resource(dictionaryUrl, plain, { ...received, 'use-as-dictionary': offer }, change),
  ]);
}

/** The result for a request one second later. */
function use(
  change: Partial<Resource> & { sent?: Fields; received?: Fields },
  loads: Load[],
  page?: string,
): DictionaryUse {
  const { sent = plain, received = {}, ...rest } = change;
  const url = rest.url ?? 'https://shop.example/app/v2.js';
  const one = resource(url, sent, received, { startMs: 1000, ...rest });
  return dictionaryUse(one, load([one], page), dictionariesOf(loads));
}

function rules(found: DictionaryUse): DictionaryReason['rule'][] {
  return 'notUsed' in found ? found.notUsed.map(({ rule }) => rule) : [];
}

const script = 'match="/app/*.js"';

test('a response in dcb names its dictionary: URL, hash, match, size and id', () => {
  const found = use(
    {
      sent: { ...offered, 'Dictionary-ID': '"app \\"1\\""' },
      received: { 'content-encoding': 'dcb' },
    },
    [offering('match="/app/*.js", id="app \\"1\\"", match-dest=("script")')],
  );
  expect(found).toMatchObject({
    used: {
      coding: 'dcb',
      hash: hash.toString('hex'),
      id: 'app "1"',
      isFromCache: false,
      dictionary: {
        url: dictionaryUrl,
        decodedBytes: 900,
        offer: { match: '/app/*.js', matchDest: ['script'], id: 'app "1"' },
      },
    },
  });
});

test('a dictionary from before the available loads is used and not named', () => {
  const found = use({ sent: offered, received: { 'content-encoding': 'dcz' } }, []);
  expect(found).toMatchObject({
    used: { coding: 'dcz', hash: hash.toString('hex'), dictionary: null },
  });
});

test('a cached dcb response used no dictionary in this read', () => {
  const disk = { status: 200, transferSize: 0, fromCache: 'disk', fetchedViaServiceWorker: false };
  const found = use(
    {
      sent: {},
      received: { 'content-encoding': 'dcb' },
      evidence: { scheme: 'https', devtools: { ...disk, fromCache: 'disk' } },
    },
    [offering(script)],
  );
  expect(found).toEqual({
    used: { coding: 'dcb', hash: null, id: null, dictionary: null, isFromCache: true },
  });
});

test('the most specific dictionary wins: destination, then longest match, then newest', () => {
  const at = (startMs: number, url: string, offer: string): Load => {
    const received = { ...cached, 'use-as-dictionary': offer };
    return load([resource(`https://shop.example${url}`, plain, received, { startMs })]);
  };
  const winner = (...loads: Load[]): string | undefined => {
    const found = use({ sent: offered, received: { 'content-encoding': 'dcb' } }, loads);
    return 'used' in found ? found.used.dictionary?.url.slice(20) : undefined;
  };
  const short = at(100, '/short', 'match="/app/*"');
  const long = at(50, '/long', 'match="/app/v*.js"');
  const destined = at(10, '/destined', 'match="/*", match-dest=("script")');
  const newer = at(200, '/newer', 'match="/app/*"');
  expect(winner(short, long, destined, newer)).toBe('/destined');
  expect(winner(short, long, newer)).toBe('/long');
  expect(winner(newer, short)).toBe('/newer');
});

test.each([
  ['a URL outside the match', { url: 'https://shop.example/lib/v2.js' }, script, 'no-match'],
  ['another destination', {}, 'match="/app/*", match-dest=("style")', 'other-destination'],
  ['a request before the dictionary arrived', { startMs: 5 }, script, 'registered-later'],
  ['an hour later', { startMs: 3_600_010 }, script, 'not-fresh'],
  ['a fit that was not offered', {}, script, 'not-offered'],
  ['no match', {}, 'id="x"', 'invalid-offer'],
  ['regular expressions', {}, 'match="/app/(v[0-9]).js"', 'invalid-offer'],
  ['a match of another origin', {}, 'match="https://cdn.example/*"', 'no-match'],
  ['a match with any host', {}, 'match="https://*.example/app/*"', 'not-offered'],
  ['a match with an optional host', {}, 'match="https://{shop.}?example/app/*"', 'not-offered'],
  ['a match with both schemes', {}, 'match="http{s}?://shop.example/app/*"', 'not-offered'],
  ['a match with any origin', {}, 'match="https://*:*/app/*"', 'not-offered'],
  ['a type that is not raw', {}, 'match="/app/*", type=zip', 'invalid-offer'],
  ['an id too long', {}, `match="/app/*", id="${'x'.repeat(1025)}"`, 'invalid-offer'],
  ['only unknown destinations', {}, 'match="/*", match-dest=("toaster")', 'invalid-offer'],
  ['an invalid structured field', {}, 'match=/app', 'invalid-offer'],
] as const)('%s: why none was used', (_, change, offer, rule) => {
  const found = use(change, [offering(offer)]);
  expect(rules(found)).toEqual([rule]);
  expect('notUsed' in found && found.notUsed[0]?.dictionaryUrl).toBe(dictionaryUrl);
});

test('a dictionary that is listed again later, or on another page, keeps its reason', () => {
  const early = offering(script);
  const again = offering(script, cached, { startMs: 2000 });
  const elsewhere = {
    ...offering(script, cached, { startMs: 500 }),
    url: 'https://other.example/',
  };
  const outside = { url: 'https://shop.example/lib/v2.js' };
  for (const loads of [
    [early, again, elsewhere],
    [elsewhere, again, early],
  ]) {
    expect(rules(use(outside, loads))).toEqual(['no-match']);
    expect(rules(use({ startMs: 5 }, loads))).toEqual(['registered-later']);
  }
});

const cdn = 'https://cdn.example/v2.js';
/** A request to an origin other than the page's, with the fields that Chromium 156 sends there. */
const toCdn = (site: string, more: Fields = {}): Fields => ({
  ...plain,
  'Sec-Fetch-Site': site,
  'Sec-Fetch-Mode': 'cors',
  ...more,
});

/**
 * Why the dictionary of another origin was not offered to a request, given other requests of the load to that origin.
 */
function whyNotOffered(sent: Fields, ...others: Fields[]): DictionaryReason | undefined {
  const offer = { ...cached, 'use-as-dictionary': 'match="/*"' };
  const known = dictionariesOf([load([resource('https://cdn.example/v1.js', plain, offer)])]);
  const one = resource(cdn, sent, {}, { startMs: 1000 });
  const beside = others.map((fields) => resource('https://cdn.example/frame', fields, {}));
  const found = dictionaryUse(one, load([...beside, one]), known);
  return 'notUsed' in found ? found.notUsed[0] : undefined;
}

const storageAccess = (value: string): Fields => ({ 'Sec-Fetch-Storage-Access': value });
const partitioned = { Cookie: '__Host-a=b', ...storageAccess('none') };
const frame = toCdn('cross-site', { 'Sec-Fetch-Dest': 'iframe', ...storageAccess('none') });

test.each([
  ['cross-site', [toCdn('cross-site')], 'third-party-cookies', 'no request shows'],
  ['no access', [toCdn('cross-site', storageAccess('none'))], 'third-party-cookies', 'are blocked'],
  ['access not used', [toCdn('cross-site', storageAccess('inactive'))], 'third-party-cookies', ''],
  ['a partitioned cookie', [toCdn('cross-site', partitioned)], 'third-party-cookies', ''],
  [
    'known from another request',
    [toCdn('cross-site'), frame],
    'third-party-cookies',
    'are blocked',
  ],
  ['in a frame', [toCdn('same-origin'), frame], 'third-party-cookies', 'are blocked'],
  ['no request shows the site', [toCdn('same-origin')], 'third-party-cookies', 'no request shows'],
  ['access', [toCdn('cross-site', storageAccess('active'))], 'not-offered', ''],
  ['a cookie', [toCdn('cross-site', { Cookie: 'a=b' })], 'not-offered', ''],
  ['the same site', [toCdn('same-site')], 'not-offered', ''],
] as const)(
  'a matching dictionary that was not offered to another origin: %s',
  (_, [sent, ...others], rule, words) => {
    const reason = whyNotOffered(sent, ...others);
    expect(reason).toMatchObject({ rule, says: expect.stringContaining(words) });
  },
);

test('a document reached through a link of another site is first-party', () => {
  const sent = toCdn('cross-site', { 'Sec-Fetch-Dest': 'document' });
  expect(rules(use({ sent }, [offering(script)]))).toEqual(['not-offered']);
});

test('a stale dictionary is not registered; stale-while-revalidate keeps it longer', () => {
  expect(rules(use({}, [offering(script, {})]))).toEqual(['invalid-offer']);
  expect(rules(use({}, [offering(script, { 'cache-control': 'no-cache' })]))).toEqual([
    'invalid-offer',
  ]);
  const stale = { 'cache-control': 'max-age=1, stale-while-revalidate=60' };
  expect(rules(use({ startMs: 60_000 }, [offering(script, stale)]))).toEqual(['not-offered']);
  expect(rules(use({ startMs: 62_000 }, [offering(script, stale)]))).toEqual(['not-fresh']);
});

test('other origins, other pages, no dictionary at all', () => {
  const elsewhere = { url: 'https://cdn.example/app/v2.js' };
  expect(rules(use(elsewhere, [offering(script)]))).toEqual(['not-registered', 'cross-origin']);
  expect(rules(use({}, [offering(script)], 'https://other.example/'))).toEqual(['other-page']);
  expect(rules(use({}, []))).toEqual(['not-registered']);
});

test('a dictionary or a response that the page may not read', () => {
  const noCors = { ...plain, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Site': 'cross-site' };
  const opaque = offering(script, cached, { requestHeaders: Object.entries(noCors) });
  expect(rules(use({}, [opaque]))).toEqual(['invalid-offer']);
  expect(rules(use({ sent: noCors }, [offering(script)]))).toEqual(['opaque-response']);
});

test('an offered dictionary that the origin did not use', () => {
  const br = { 'content-encoding': 'br' };
  const chosen = use({ sent: offered, received: br }, [offering(script)]);
  expect(rules(chosen)).toEqual(['origin-chose-not']);
  expect('notUsed' in chosen && chosen.notUsed[0]?.dictionaryUrl).toBe(dictionaryUrl);
  const refusing = { ...offered, 'Accept-Encoding': 'br, dcb;q=0, dcz; Q=0.00' };
  expect(rules(use({ sent: refusing, received: br }, []))).toEqual(['coding-not-accepted']);
});

test.each([
  ['http://shop.example/a.js', 'https://shop.example/', ['insecure-context']],
  ['https://shop.example/a.js', 'http://shop.example/', ['insecure-context']],
  ['http://127.0.0.1:8080/a.js', 'http://127.0.0.1:8080/', ['not-registered']],
  ['http://app.localhost/a.js', 'http://app.localhost/', ['not-registered']],
  ['http://127.0.0.1.evil.example/a.js', 'http://localhost/', ['insecure-context']],
  ['data:text/plain,x', 'https://shop.example/', ['no-http']],
])('%s on %s', (url, page, expected) => {
  expect(rules(use({ url }, [], page))).toEqual(expected);
});

test('a stored response in a plain coding was not requested now', () => {
  const evidence: Resource['evidence'] = {
    scheme: 'https',
    devtools: { status: 200, transferSize: 0, fromCache: 'disk', fetchedViaServiceWorker: false },
  };
  const found = use({ sent: {}, received: { 'content-encoding': 'br' }, evidence }, []);
  expect(rules(found)).toEqual(['from-cache']);
});

test('unknown facts are reported as unknown, with the evidence that would show them', () => {
  const unread = use({ sent: {} }, [offering(script)]);
  expect(unread).toMatchObject({
    unknown: [expect.stringContaining('request headers as sent')],
    considered: [{ rule: 'not-offered', dictionaryUrl }],
  });
  expect(use({ coding: null }, [])).toEqual({
    unknown: ['the content coding of the response'],
    considered: [],
  });
});

test('no page content causes an exception', () => {
  const offers = fc.oneof(hostileText, fc.constant(script), fc.constant('match="*"'));
  fc.assert(
    fc.property(arbitraryLoad, offers, hostileText, (any, offer, sent) => {
      const resources = any.resources.map((one) => ({
        ...one,
        url: `https://a/${one.url}`,
        requestHeaders: Object.entries({ ...plain, 'available-dictionary': sent }),
        responseHeaders: Object.entries({ 'cache-control': sent, 'use-as-dictionary': offer }),
      }));
      const changed = { ...any, resources };
      const known = dictionariesOf([changed]);
      expect(known).toHaveLength(resources.length);
      for (const one of resources) {
        const found = dictionaryUse(one, changed, known);
        expect(Object.keys(found)[0]).toMatch(/^(used|notUsed|unknown)$/);
        if ('notUsed' in found) expect(found.notUsed.length).toBeGreaterThan(0);
      }
    }),
  );
});
