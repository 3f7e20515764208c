import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLoad, hostileText } from '../fixtures/arbitrary-load.ts';
import {
  cached,
  dictionaryUrl,
  hash,
  load,
  offered,
  offering,
  plain,
  resource,
  rules,
  script,
  use,
} from '../fixtures/dictionary-loads.ts';
import { dictionariesOf, dictionaryUse } from './use.ts';
import type { Load, Resource } from '../load/load.ts';

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
      hash: hash,
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

test('after redirects, the last URL counts, for the dictionary and for the request', () => {
  const url = 'https://shop.example/latest.js';
  const moved = { url, finalUrl: dictionaryUrl };
  const used = use({ sent: offered, received: { 'content-encoding': 'dcb' } }, [
    offering('match="v*.js"', cached, moved),
  ]);
  expect(used).toMatchObject({ used: { dictionary: { url: dictionaryUrl } } });
  const elsewhere = { url, finalUrl: 'https://cdn.example/app/v2.js' };
  expect(rules(use(elsewhere, [offering(script)]))).toContain('cross-origin');
});

test('a dictionary from before the available loads is used and not named', () => {
  const found = use({ sent: offered, received: { 'content-encoding': 'dcz' } }, []);
  expect(found).toMatchObject({
    used: { coding: 'dcz', hash: hash, dictionary: null },
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

test('a revalidated dcb body names no dictionary: the offer with the revalidation is of now', () => {
  const timing = { deliveryType: 'cache', transferSize: 300, startTime: 1000, duration: 10 };
  const found = use(
    {
      sent: offered,
      received: { 'content-encoding': 'dcb' },
      evidence: { scheme: 'https', page: { timing } },
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
