import { type Load, type Resource, resourceTypes } from '@cachescope/model/load.ts';
import fc from 'fast-check';

/** Texts that trip parsers and spreadsheets: markup, formulas, prototypes, NUL, line breaks, lone surrogates. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<img src=x onerror="window.injected=1">',
    '=HYPERLINK("http://x")',
    '__proto__',
    "it's; $(id) `id` \\",
    'a"b,c\r\nd',
    '\0',
    '\uD800',
    '@file',
    '',
  ),
);

/** JSON has no -0: it comes back as 0. */
const nonNegative = fc
  .double({ min: 0, max: 8_640_000_000, noNaN: true })
  .map((value) => (value === 0 ? 0 : value));
const bytes = fc.nat({ max: 2 ** 40 });
const headers = fc.array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 4 });
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(value, { nil: null });

const evidence = fc.record(
  {
    scheme: fc.constantFrom('http', 'https', 'data', 'blob'),
    page: orNull(
      fc.record({
        timing: orNull(
          fc.record(
            {
              startTime: nonNegative,
              duration: nonNegative,
              deliveryType: fc.constantFrom('', 'cache', 'cache-storage', 'navigational-prefetch'),
              requestStart: nonNegative,
              nextHopProtocol: hostileText,
              transferSize: bytes,
            },
            { requiredKeys: ['startTime', 'duration'] },
          ),
        ),
      }),
    ),
    devtools: orNull(
      fc.record(
        {
          status: fc.integer({ min: 0, max: 599 }),
          transferSize: orNull(bytes),
          fetchedViaServiceWorker: fc.boolean(),
          fromCache: fc.constantFrom('memory' as const, 'disk' as const),
          cacheStorageName: hostileText,
        },
        { requiredKeys: ['status', 'transferSize', 'fetchedViaServiceWorker'] },
      ),
    ),
  },
  { requiredKeys: [] },
);

/** Any resource that the schema permits, as far as it has a place in time. */
export const arbitraryResource: fc.Arbitrary<Resource> = fc.record(
  {
    sequence: fc.nat(),
    url: fc.oneof(fc.webUrl({ withQueryParameters: true }), hostileText.map(withoutFragment)),
    method: orNull(fc.constantFrom('GET', 'POST', 'HEAD', 'X\n')),
    status: orNull(fc.integer({ min: 100, max: 599 })),
    type: fc.constantFrom(...resourceTypes),
    mimeType: orNull(hostileText),
    initiatorType: orNull(hostileText),
    context: fc.constantFrom('document' as const, 'worker' as const, 'unknown' as const),
    coding: orNull(fc.constantFrom('br', 'identity', 'dcb', 'gzip')),
    startMs: nonNegative,
    durationMs: orNull(nonNegative),
    responseStartMs: orNull(nonNegative),
    transferredBytes: orNull(bytes),
    encodedBytes: orNull(bytes),
    decodedBytes: orNull(bytes),
    storedBytes: orNull(bytes),
    requestHeaders: headers,
    responseHeaders: headers,
    isPreload: fc.boolean(),
    evidence,
  },
  {
    requiredKeys: [
      'sequence',
      'url',
      'method',
      'status',
      'type',
      'mimeType',
      'initiatorType',
      'context',
      'coding',
      'startMs',
      'durationMs',
      'responseStartMs',
      'transferredBytes',
      'encodedBytes',
      'decodedBytes',
      'storedBytes',
      'isPreload',
      'evidence',
    ],
  },
);

/** Any load that the schema permits, of a date that exists. */
export const arbitraryLoad: fc.Arbitrary<Load> = fc.record({
  schemaVersion: fc.constant(1 as const),
  id: hostileText,
  url: hostileText,
  startedAt: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((date) => date.toISOString()),
  navigationType: fc.constantFrom('navigate' as const, 'reload' as const, 'unknown' as const),
  depths: fc.constant([]),
  domContentLoadedMs: orNull(nonNegative),
  loadMs: orNull(nonNegative),
  resources: fc.array(arbitraryResource, { maxLength: 6 }),
  warnings: fc.array(hostileText, { maxLength: 2 }),
});

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

const jsonKeys =
  `log entries pages version creator name request response url method status content size startedDateTime
  time id _fromCache _cachescope schemaVersion loads run resources __proto__ constructor`.split(
    /\s+/,
  );

/** Any JSON value, with the keys that a file of ours would have. */
export const arbitraryJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '1.2', '2026-11-20T23:00:00Z'),
    hostileText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...jsonKeys), tie('value'), { maxKeys: 6 }),
  ),
})).value;
