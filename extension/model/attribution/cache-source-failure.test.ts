import { expect, test } from 'vitest';
import { har, hidden, network, seen, webRequest } from '../fixtures/cache-source.ts';
import { attribute } from './cache-source.ts';
import type { Evidence } from './evidence.ts';
import { type Row, right, testRows } from './rows.ts';

const unsent = { status: 0, extraInfoStatus: null, encodedDataLength: null } as const;
const part = { contentEncoding: '', encodedBodySize: 2000, decodedBodySize: 4000 } as const;
const instant = { initiatorType: 'script', duration: 0 } as const;

/** Chromium 156's evidence for failed requests and for responses from two sources, as established by experiment. */
const rows: Row[] = [
  [
    'blocked by Content-Security-Policy',
    'blocked',
    [
      { ...hidden(instant), blockedBy: 'script-src-elem', mayBeBlocked: true },
      null,
      har({ status: 0, transferSize: 0 }),
      network({ ...unsent, errorText: '', blockedReason: 'csp' }),
    ],
    right,
  ],
  [
    'blocked by Content-Security-Policy, and the page heard of no violation',
    'blocked',
    [
      { ...hidden(instant), mayBeBlocked: true },
      null,
      har({ status: 0, transferSize: 0 }),
      network({ ...unsent, errorText: '', blockedReason: 'csp' }),
    ],
    ['unknown', 'unknown', 'unknown', 'right'],
  ],
  [
    'no answer',
    'failed',
    [
      { ...hidden({ duration: 20 }), mayBeBlocked: true },
      webRequest({ statusCode: 0, error: 'net::ERR_EMPTY_RESPONSE' }),
      har({ status: 0, transferSize: 0, error: 'net::ERR_EMPTY_RESPONSE' }),
      network({ ...unsent, errorText: 'net::ERR_EMPTY_RESPONSE' }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'refused by CORS',
    'failed',
    [
      hidden({ duration: 6 }),
      webRequest({ statusCode: 0, error: 'net::ERR_FAILED' }),
      har({ status: 0, transferSize: 0, error: 'net::ERR_FAILED' }),
      network({ ...unsent, extraInfoStatus: 200, corsError: 'MissingAllowOriginHeader' }),
    ],
    ['unknown', 'right', 'right', 'right'],
  ],
  [
    'the connection ended within the body',
    'network',
    [
      seen(),
      webRequest({ statusCode: 0, error: 'net::ERR_CONTENT_LENGTH_MISMATCH' }),
      har({ error: 'net::ERR_CONTENT_LENGTH_MISMATCH' }),
      network({ encodedDataLength: null, errorText: 'net::ERR_CONTENT_LENGTH_MISMATCH' }),
    ],
    right,
  ],
  [
    'a range of which the first half was cached',
    'mixed',
    [
      seen({ ...part, responseStatus: 206, finalResponseHeadersStart: 0 }),
      webRequest({ fromCache: true, statusCode: 206 }),
      har({ status: 206, transferSize: 2286 }),
      network({ fromDiskCache: true, status: 206, extraInfoStatus: null, encodedDataLength: 2286 }),
    ],
    right,
  ],
  [
    'a range of which the end was cached',
    'mixed',
    [
      seen({ ...part, responseStatus: 206 }),
      webRequest({ fromCache: true, statusCode: 206 }),
      har({ status: 206, transferSize: 2283 }),
      network({ status: 206, extraInfoStatus: 206, encodedDataLength: 2283 }),
    ],
    right,
  ],
  [
    'a 304 that confirmed a stored range, of which DevTools had not heard',
    'revalidated/http-cache',
    [
      seen({
        transferSize: 4456,
        encodedBodySize: 4156,
        decodedBodySize: 4156,
        responseStatus: 206,
        contentEncoding: '',
      }),
      webRequest({ fromCache: true, statusCode: 206 }),
      har({ status: 206, transferSize: 154, isShort: true }),
      network({ status: 206, extraInfoStatus: 304, encodedDataLength: 154 }),
    ],
    ['unknown', 'unknown', 'unknown', 'right'],
  ],
  [
    'a resumed download',
    'mixed',
    [
      seen(part),
      webRequest({ fromCache: true }),
      har({ status: 206, transferSize: 3769 }),
      network({ extraInfoStatus: 206, encodedDataLength: 3769 }),
    ],
    right,
  ],
  [
    'a range beside one that is cached',
    'network',
    [
      seen({
        contentEncoding: '',
        encodedBodySize: 1000,
        decodedBodySize: 1000,
        responseStatus: 206,
      }),
      webRequest({ fromCache: true, statusCode: 206 }),
      har({ status: 206, transferSize: 1286 }),
      network({ status: 206, extraInfoStatus: 206, encodedDataLength: 1286 }),
    ],
    ['unknown', 'unknown', 'right', 'right'],
  ],
  [
    'a range cut out of a response that the origin confirmed',
    'revalidated/http-cache',
    [
      seen({
        contentEncoding: '',
        encodedBodySize: 4156,
        decodedBodySize: 4156,
        responseStatus: 206,
      }),
      webRequest({ fromCache: true, statusCode: 206 }),
      har({ status: 304, transferSize: 154 }),
      network({ status: 206, extraInfoStatus: 304, encodedDataLength: 154 }),
    ],
    ['unknown', 'unknown', 'right', 'right'],
  ],
  [
    'given up before the page had a response',
    'failed',
    [
      { ...hidden({ duration: 20 }), mayBeBlocked: true },
      webRequest({ statusCode: 0, error: 'net::ERR_ABORTED' }),
      har({ status: 0, transferSize: 0, error: 'net::ERR_ABORTED' }),
      network({ ...unsent, extraInfoStatus: 200, errorText: 'net::ERR_ABORTED', isCanceled: true }),
    ],
    ['unknown', 'unknown', 'right', 'right'],
  ],
  [
    'a dedicated worker’s script at its second visit',
    'disk',
    [
      seen({
        deliveryType: 'cache',
        transferSize: 0,
        startTime: 76,
        responseStart: 76,
        responseEnd: 70,
      }),
      webRequest({ fromCache: true }),
      har({ status: 0, transferSize: 0 }),
      network({ extraInfoStatus: null, encodedDataLength: 0 }),
    ],
    right,
  ],
];

testRows(rows);

const reasons: readonly [Evidence, string][] = [
  [{ page: { ...hidden(instant), blockedBy: 'img-src' } }, 'CSP'],
  [{ debugger: network({ ...unsent, blockedReason: 'csp', errorText: '' }) }, 'CSP'],
  [{ debugger: network({ ...unsent, corsError: 'MissingAllowOriginHeader' }) }, 'CORS'],
  [{ debugger: network({ ...unsent, errorText: 'net::ERR_FAILED' }) }, 'net::ERR_FAILED'],
  [{ webRequest: webRequest({ statusCode: 0, error: 'net::ERR_FAILED' }) }, 'net::ERR_FAILED'],
];

test.each(reasons)('the reason of %j is %s', (evidence, failure) => {
  expect(attribute(evidence).failure).toBe(failure);
});

test('a mixed response states the bytes from each source', () => {
  expect(attribute({ page: seen(part) }).parts).toEqual({ networkBytes: 2000, cachedBytes: 2000 });
});

test('a response that was given up as it arrived is not named by the witness that saw it arrive', () => {
  const evidence = {
    page: { ...hidden(), mayBeBlocked: true },
    webRequest: webRequest(),
    devtools: har({ status: 200, transferSize: 0, error: 'net::ERR_ABORTED' }),
  };
  expect(attribute(evidence).source).toBe('unknown');
  expect(attribute({ devtools: evidence.devtools }).source).toBe('failed');
});

test.each([
  [false, 'unknown'],
  [true, 'network'],
])(
  'a same-origin response without times, redirected: %s, that webRequest saw arrive: %s',
  (isRedirected, source) => {
    const page = { ...hidden({ duration: 20 }), isSameOrigin: true, isRedirected };
    expect(attribute({ page, webRequest: webRequest() })).toMatchObject({ source });
  },
);
