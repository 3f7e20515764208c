import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answers, commonName, namesOf } from './answer.ts';
import {
  har,
  hidden,
  network,
  onDisk,
  seen,
  timing,
  webRequest,
} from '../fixtures/cache-source.ts';
import { judge } from './judgement.ts';
import { attribute, cacheSources } from './cache-source.ts';
import type { Evidence } from './evidence.ts';

test('no evidence gives unknown, and the reason names the witness that would show the source', () => {
  const verdict = attribute({});
  expect(verdict).toMatchObject({ source: 'unknown', confidence: 'unknown' });
  expect(verdict.signals?.map(({ stance }) => stance)).toEqual(Array(4).fill('missing'));
  expect(attribute({ page: hidden() }).reasons.join()).toMatch(/Timing-Allow-Origin.*debugger/s);
});

test.each([{}, { scheme: 'https' }, { scheme: 'https', debugger: null }])(
  'where no witness excludes an answer, none is named as a candidate: %j',
  (evidence) => {
    expect(attribute(evidence)).not.toHaveProperty('candidates');
  },
);

test('times and sizes make a source likely; a direct statement of the browser makes it certain', () => {
  expect(attribute({ page: seen(onDisk) })).toMatchObject({ confidence: 'likely' });
  expect(attribute({ debugger: network({ fromDiskCache: true }) })).toMatchObject({
    source: 'disk',
    confidence: 'certain',
  });
});

test('a disk hit seen only by the page does not claim how the entry got onto the disk', () => {
  const verdict = attribute({ page: seen(onDisk) });
  expect(verdict.candidates).toEqual(['disk', 'stale-while-revalidate', 'prefetch/link']);
  expect(verdict).not.toHaveProperty('detail');
  expect(verdict.reasons.join()).toContain('prefetch/link');
});

test('contradicting witnesses give unknown, and each is named', () => {
  const verdict = attribute({
    page: seen(onDisk),
    webRequest: webRequest(),
    debugger: network({ extraInfoStatus: 200 }),
  });
  expect(verdict).toMatchObject({ source: 'unknown', confidence: 'unknown' });
  expect(verdict.reasons.join('\n')).toMatch(/page leaves disk.*\n.*webRequest.*\n.*debugger/s);
  expect(verdict.signals?.map(({ stance }) => stance)).toEqual([
    'disagrees',
    'disagrees',
    'missing',
    'disagrees',
  ]);
});

test.each([
  ['deliveryType', { deliveryType: undefined }],
  ['transferSize', { ...onDisk, transferSize: undefined }],
  ['firstInterimResponseStart', { ...onDisk, firstInterimResponseStart: undefined }],
])('a browser without %s gives unknown and the name of the missing field', (field, row) => {
  const verdict = attribute({ page: { timing: { ...timing(), ...row } } });
  expect(verdict.source).toBe('unknown');
  expect(verdict.reasons.join()).toContain(field);
});

test('a service worker that is only known to exist makes a disk hit doubtful', () => {
  expect(attribute({ page: { timing: timing(onDisk), hasServiceWorker: true } })).toMatchObject({
    source: 'unknown',
  });
  expect(attribute({ page: { timing: timing(onDisk) } })).toMatchObject({ source: 'disk' });
});

test.each(['data', 'blob'])('a %s: URL contains the resource itself', (scheme) => {
  expect(attribute({ scheme })).toMatchObject({ source: scheme, confidence: 'certain' });
  expect(attribute({ debugger: network({ protocol: scheme }) })).toMatchObject({ source: scheme });
});

test.each(['file', 'chrome-extension'])('a %s: URL was not read over the network', (scheme) => {
  const devtools = { status: 200, transferSize: 5000, fromCache: null } as never;
  const { source, reasons, signals } = attribute({ scheme, devtools });
  expect([source, reasons]).toEqual(['unknown', [expect.stringContaining('not http or ws')]]);
  expect(signals?.find(({ depth }) => depth === 'devtools')?.stance).toBe('silent');
  expect(attribute({ scheme: 'https', devtools }).source).toBe('network');
  const failed = { status: 0, transferSize: 0, fromCache: null, error: 'net::ERR_FAILED' } as never;
  expect(attribute({ scheme, devtools: failed }).source).toBe('failed');
});

test('a restored document came from the bfcache, even if its URL was also requested', () => {
  const verdict = attribute({
    page: { timing: null, isBackForwardRestore: true },
    webRequest: webRequest({ fromCache: true }),
  });
  expect(verdict).toMatchObject({ source: 'bfcache', confidence: 'certain' });
  expect(verdict.signals?.[1]).toMatchObject({ depth: 'webRequest', stance: 'disagrees' });
});

test('an aborted request is no evidence of a source', () => {
  expect(attribute({ webRequest: webRequest({ statusCode: 0 }) }).source).toBe('unknown');
});

test('the Cache Storage name and the route are reported with the verdict', () => {
  const verdict = attribute({
    debugger: network({
      fromServiceWorker: true,
      serviceWorkerResponseSource: 'cache-storage',
      cacheStorageName: 'v1',
      routerMatched: 'cache',
      routerActual: 'cache',
    }),
  });
  expect(verdict).toMatchObject({
    source: 'service-worker',
    detail: 'cache-storage',
    cacheStorageName: 'v1',
    router: { matched: 'cache', actual: 'cache' },
  });
  expect(
    attribute({ devtools: har({ fromCache: 'memory', cacheStorageName: 'v1' }) }),
  ).not.toHaveProperty('cacheStorageName');
});

test('a common name is the most detailed name that is true of every candidate', () => {
  expect(commonName(['disk', 'prefetch/link', 'stale-while-revalidate'])).toBe('disk');
  expect(commonName(['preload', 'same-document'])).toBe('memory');
  expect(commonName(['service-worker/network', 'service-worker/synthetic'])).toBe('service-worker');
  expect(commonName(['prefetch/link', 'prefetch/speculation'])).toBe('prefetch');
  expect(commonName(['disk', 'network'])).toBeUndefined();
  for (const answer of answers) expect(commonName([answer])).toBe(answer);
});

test('a judgement distinguishes right, coarse, unknown and wrong', () => {
  expect(judge({ source: 'prefetch', detail: 'link' }, 'prefetch/link')).toBe('right');
  expect(judge({ source: 'disk' }, 'prefetch/link')).toBe('coarse');
  expect(judge({ source: 'prefetch', detail: 'link' }, 'disk')).toBe('wrong');
  expect(judge({ source: 'unknown' }, 'disk')).toBe('unknown');
});

const anyBoolean = fc.boolean();
const anyTime = fc.constantFrom(0, 100, 102, undefined);
const anyEvidence: fc.Arbitrary<Evidence> = fc.record(
  {
    page: fc.record({
      timing: fc.option(
        fc.record({
          deliveryType: fc.constantFrom(
            '',
            'cache',
            'cache-storage',
            'navigational-prefetch',
            'new',
          ),
          initiatorType: fc.constantFrom('fetch', 'script', 'early-hints', 'navigation'),
          transferSize: fc.constantFrom(0, 300, 1004),
          encodedBodySize: fc.constantFrom(0, 704),
          responseStatus: fc.constantFrom(0, 200, 304),
          startTime: fc.constant(100),
          duration: fc.constantFrom(0, 3),
          workerStart: fc.constantFrom(0, 101),
          finalResponseHeadersStart: fc.constantFrom(0, 102),
          responseStart: fc.constantFrom(0, 102),
        }),
      ),
      hasServiceWorker: anyBoolean,
    }),
    webRequest: fc.option(
      fc.record({
        fromCache: anyBoolean,
        statusCode: fc.constantFrom(200, 304),
        requests: fc.constantFrom(1, 2),
      }),
    ),
    devtools: fc.option(
      fc.record({
        status: fc.constantFrom(200, 304),
        transferSize: fc.constantFrom(null, 0, 500),
        fetchedViaServiceWorker: anyBoolean,
        serviceWorkerResponseSource: fc.constantFrom('network', 'http-cache', 'fallback-code'),
      }),
    ),
    debugger: fc.option(
      fc.record({
        requestServedFromCache: anyBoolean,
        fromDiskCache: anyBoolean,
        fromPrefetchCache: anyBoolean,
        fromServiceWorker: anyBoolean,
        fromEarlyHints: anyBoolean,
        status: fc.constantFrom(200, 304),
        extraInfoStatus: fc.constantFrom(null, 200, 304),
        encodedDataLength: fc.constantFrom(null, 0, 300),
      }),
    ),
  },
  { requiredKeys: [] },
);

test('any evidence gives a listed source, a reason, and candidates that share the name', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const { source, detail, reasons, candidates = [] } = attribute(evidence);
      expect(cacheSources).toContain(source);
      expect(reasons.length).toBeGreaterThan(0);
      if (source === 'unknown') return;
      const name = detail === undefined ? source : `${source}/${detail}`;
      const named = answers.filter((answer) => candidates.includes(answer));
      for (const answer of named) expect(namesOf(answer)).toContain(name);
    }),
  );
});

test('an additional witness narrows a verdict or makes it unknown, and never gives a different source', () => {
  fc.assert(
    fc.property(anyEvidence, ({ debugger: network, ...less }) => {
      const before = attribute(less);
      const after = attribute({ ...less, ...(network === undefined ? {} : { debugger: network }) });
      if (before.source === 'unknown' || after.source === 'unknown') return;
      const name =
        before.detail === undefined ? before.source : `${before.source}/${before.detail}`;
      const finer = after.detail === undefined ? after.source : `${after.source}/${after.detail}`;
      const still = answers.filter((answer) => namesOf(answer).includes(finer));
      expect(still.some((answer) => namesOf(answer).includes(name))).toBe(true);
    }),
  );
});

test('any interim times are read without an exception', () => {
  fc.assert(
    fc.property(anyTime, anyTime, (interim, headers) => {
      const row = { firstInterimResponseStart: interim, finalResponseHeadersStart: headers };
      const page = { timing: { ...timing({ deliveryType: 'cache', transferSize: 0 }), ...row } };
      expect(cacheSources).toContain(attribute({ page }).source);
    }),
  );
});
