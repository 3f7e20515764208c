import { expect, test } from 'vitest';
import {
  cached,
  dictionaryUrl,
  type Fields,
  load,
  offering,
  plain,
  resource,
  rules,
  script,
  use,
} from '../fixtures/dictionary-loads.ts';
import type { DictionaryReason } from './reason.ts';
import { dictionariesOf, dictionaryUse } from './use.ts';

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

test.each([
  [0, 'invalid-offer'],
  [1, 'not-offered'],
  [100 * 1024 ** 2, 'not-offered'],
  [100 * 1024 ** 2 + 1, 'invalid-offer'],
  [null, 'not-offered'],
] as const)('a dictionary of %j bytes', (decodedBytes, rule) => {
  expect(rules(use({}, [offering(script, cached, { decodedBytes })]))).toEqual([rule]);
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
  const varied = { 'cache-control': 'max-age=3600', Vary: '*' };
  expect(rules(use({}, [offering(script, varied)]))).toEqual(['not-offered']);
});

test('other origins, other pages, no dictionary at all', () => {
  const elsewhere = { url: 'https://cdn.example/app/v2.js' };
  expect(rules(use(elsewhere, [offering(script)]))).toEqual(['not-registered', 'cross-origin']);
  expect(rules(use({}, [offering(script)], 'https://other.example/'))).toEqual(['other-page']);
  expect(rules(use({}, []))).toEqual(['not-registered']);
});
