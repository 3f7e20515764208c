import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import { type AttributedResource, attributeLoad } from '../attribution/attributed-resource.ts';
import { parseFilter } from './filter.ts';
import { filterKeys, filterSuggestions } from './filter-key.ts';
import { filterTokens } from './filter-token.ts';
import type { Resource } from './load.ts';

const rows = attributeLoad(madeUpLoad({ count: 140 }));

const plain: Resource = {
  sequence: 0,
  url: 'https://Static.Example:8443/App/Main.js?x=1',
  method: 'GET',
  status: 200,
  type: 'script',
  mimeType: 'text/javascript',
  initiatorType: 'script',
  context: 'document',
  coding: 'br',
  startMs: 0,
  durationMs: 5,
  responseStartMs: null,
  transferredBytes: 10_000,
  encodedBytes: 9700,
  decodedBytes: 40_000,
  storedBytes: null,
  priority: 'VeryHigh',
  requestHeaders: [['cookie', 'a=1; Session=1']],
  responseHeaders: [['ETag', '"1"']],
  isPreload: false,
  evidence: {},
};

function row(
  change: Partial<Resource> = {},
  source = 'network',
  detail?: string,
): AttributedResource {
  return {
    resource: { ...plain, ...change },
    attribution: { source, ...(detail ? { detail } : {}), confidence: 'certain', reasons: [] },
  };
}

function keeps(text: string, subject: AttributedResource): boolean {
  const filter = parseFilter(text);
  if ('problems' in filter) throw new Error(filter.problems.join());
  return filter.matches(subject);
}

function problemsOf(text: string): string[] {
  const filter = parseFilter(text);
  return 'problems' in filter ? filter.problems : [];
}

test.each([
  ['', true],
  ['main.js', true],
  ['main.css', false],
  ['-main.css', true],
  ['-main.js', false],
  ['app main', true],
  ['app other', false],
  ['/main\\.(js|css)/', true],
  ['/^main/', false],
  ['-/main/', false],
  ['"app/main"', true],
  ['domain:static.example', true],
  ['domain:example', false],
  ['domain:*.example', true],
  ['-domain:static.example', false],
  ['larger-than:10k', true],
  ['larger-than:10001', false],
  ['larger-than:0.01M', true],
  ['larger-than:10kb', true],
  ['mime-type:text/javascript', true],
  ['mime-type:image/*', false],
  ['status-code:200', true],
  ['status-code:2*', true],
  ['status-code:404', false],
  ['resource-type:script', true],
  ['resource-type:image', false],
  ['has-response-header:etag', true],
  ['has-response-header:age', false],
  ['has-request-header:Cookie', true],
  ['has-request-header:etag', false],
  ['cookie-name:session', true],
  ['cookie-name:1', false],
  ['priority:veryhigh', true],
  ['priority:High', false],
  ['coding:br', true],
  ['coding:gzip', false],
  ['METHOD:get', true],
  ['method:POST', false],
  ['scheme:https', true],
  ['scheme:data', false],
  ['encoding:br', true],
  ['-encoding:br', false],
  ['source:network', true],
  ['source:disk', false],
  ['is:from-cache', false],
  ['-is:from-cache', true],
  ['is:running', false],
  ['https://static.example:8443/app', true],
  ['url:x=1', true],
])('%s', (text, expected) => {
  expect(keeps(text, row())).toBe(expected);
});

test.each([
  ['memory', undefined, true],
  ['disk', undefined, true],
  ['prefetch', 'link', true],
  ['revalidated', 'http-cache', false],
  ['service-worker', 'cache-storage', true],
  ['service-worker', 'network', false],
  ['service-worker', undefined, false],
  ['unknown', undefined, false],
])('is:from-cache of %s/%s', (source, detail, expected) => {
  expect(keeps('is:from-cache', row({}, source, detail))).toBe(expected);
});

test.each(['old.js', 'new.js', '/new/', 'domain:cdn.example', 'scheme:https', 'url:new', '-other'])(
  '%s finds a redirected resource, by either of its URLs',
  (text) => {
    const redirected = { url: 'http://a.example/old.js', finalUrl: 'https://cdn.example/new.js' };
    expect(keeps(text, row(redirected))).toBe(true);
  },
);

test('a source has aliases, and its detail can be filtered', () => {
  const worker = row({}, 'service-worker', 'cache-storage');
  expect(keeps('source:sw', worker)).toBe(true);
  expect(keeps('source:sw/cache-storage', worker)).toBe(true);
  expect(keeps('source:sw/network', worker)).toBe(false);
  expect(keeps('is:service-worker-intercepted', worker)).toBe(true);
});

test('the size of what came from a cache is that of its entry, else of its body', () => {
  const hit = { transferredBytes: 0, encodedBytes: 20_000, storedBytes: null };
  expect(keeps('stored-larger-than:20k', row(hit, 'disk'))).toBe(true);
  expect(keeps('stored-larger-than:20k', row({ ...hit, storedBytes: 900 }, 'disk'))).toBe(false);
  expect(keeps('stored-larger-than:20k', row({ ...hit, encodedBytes: null }, 'disk'))).toBe(false);
  expect(keeps('stored-larger-than:0', row({ encodedBytes: 20_000 }))).toBe(false);
});

test('keys are suggested, and after a key its values; what is before stays', () => {
  expect(filterSuggestions('so')).toEqual(['source:']);
  expect(filterSuggestions('main.js -is:from')).toEqual(['main.js -is:from-cache']);
  expect(filterSuggestions('source:d')).toEqual(['source:disk', 'source:data']);
  expect(filterSuggestions('').length).toBe(Object.keys(filterKeys).length);
  for (const none of ['main', 'domain:a', 'constructor:', '__proto__:x', 'is:from-cache'])
    expect(filterSuggestions(none)).toEqual([]);
});

test('unknown is not 0, and matches unknown', () => {
  const hidden = row({ transferredBytes: null, status: null, coding: null, durationMs: null });
  expect(keeps('larger-than:0', hidden)).toBe(false);
  expect(keeps('larger-than:0', row({ transferredBytes: 0 }))).toBe(true);
  expect(keeps('status-code:0', hidden)).toBe(false);
  expect(keeps('status-code:unknown encoding:unknown', hidden)).toBe(true);
  expect(keeps('is:running', hidden)).toBe(false);
  expect(keeps('is:running', row({ durationMs: null, isRunning: true }))).toBe(true);
});

test.each([
  ['is:cached', /is: “cached” is not one of from-cache/],
  ['larger-than:big', /larger-than: “big” is not a size/],
  ['source:cloud', /source: “cloud” is not one of network/],
  ['source:constructor', /source: “constructor” is not one of network/],
  ['resource-type:xhr', /is not one of document/],
  ['colour:red', /There is no filter “colour:”/],
  ['__proto__:x', /There is no filter “__proto__:”/],
  ['domain:', /“domain:” needs a host/],
  ['/(/', /not a regular expression/],
])('%s is reported, not ignored', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});

test('all problems of a text are reported at once', () => {
  expect(problemsOf('is:x larger-than:y main')).toHaveLength(2);
});

test('any text is either reported as invalid or keeps a subset of the rows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const filter = parseFilter(text);
      if ('problems' in filter) return filter.problems.length > 0;
      return rows.every((each) => typeof filter.matches(each) === 'boolean');
    }),
  );
});

const term = fc.oneof(
  fc.constantFrom('js', 'v=3', '/png|css/', '"assets"'),
  fc.constantFrom('disk', 'memory', 'network', 'unknown').map((value) => `source:${value}`),
  fc.constantFrom('br', 'dcb', 'unknown').map((value) => `encoding:${value}`),
  fc.nat(400_000).map((bytes) => `larger-than:${bytes}`),
  fc.constantFrom('is:from-cache', 'domain:*.example', 'status-code:200'),
);

test('a minus negates a term, for every row', () => {
  fc.assert(
    fc.property(term, (text) => {
      for (const each of rows) expect(keeps(`-${text}`, each)).toBe(!keeps(text, each));
    }),
  );
});

test('two terms keep the rows that both of them keep', () => {
  fc.assert(
    fc.property(term, term, (one, other) => {
      for (const each of rows) {
        expect(keeps(`${one}  ${other}`, each)).toBe(keeps(one, each) && keeps(other, each));
      }
    }),
  );
});

test('every key lists its allowed values', () => {
  for (const [key, { values }] of Object.entries(filterKeys)) {
    expect(key).toMatch(/^[a-z-]+$/);
    expect(values.length).toBeGreaterThan(5);
  }
});

test('a text is split as DevTools splits it', () => {
  expect(filterTokens('-domain:a.b  /x y/ "c d" e')).toEqual([
    { kind: 'key', isNegative: true, key: 'domain', value: 'a.b' },
    { kind: 'pattern', isNegative: false, source: 'x y' },
    { kind: 'text', isNegative: false, text: 'c d' },
    { kind: 'text', isNegative: false, text: 'e' },
  ]);
  expect(filterTokens('/usr/bin')).toEqual([{ kind: 'text', isNegative: false, text: '/usr/bin' }]);
});
