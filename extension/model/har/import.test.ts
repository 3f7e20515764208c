import * as z from 'zod/mini';
import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { arbitraryJson } from '../fixtures/arbitrary-load.ts';
import { entry, har, loads, page, problems } from '../fixtures/har.ts';
import { readHar } from './import.ts';
import { loadSchema } from '../load/load.ts';

test('a page of DevTools becomes a load with all values of its entry', () => {
  const [load, ...others] = loads(har([entry()]));
  expect(others).toEqual([]);
  expect(load).toEqual({
    schemaVersion: 1,
    id: 'har 2026-11-20T23:00:00.000Z page_1',
    url: 'http://127.0.0.1/',
    startedAt: '2026-11-20T23:00:00.000Z',
    navigationType: 'unknown',
    depths: ['devtools'],
    domContentLoadedMs: 480,
    loadMs: null,
    warnings: [],
    resources: [
      {
        sequence: 0,
        url: 'http://127.0.0.1/a.js',
        method: 'GET',
        status: 200,
        type: 'script',
        mimeType: 'text/javascript',
        initiatorType: null,
        initiator: { type: 'parser', url: 'http://127.0.0.1/' },
        priority: 'High',
        context: 'unknown',
        coding: 'br',
        startMs: 250,
        durationMs: 12.5,
        responseStartMs: 257.5,
        transferredBytes: 917,
        encodedBytes: 704,
        decodedBytes: 5031,
        storedBytes: null,
        requestHeaders: [['Accept-Encoding', 'gzip, br']],
        responseHeaders: [
          ['Content-Encoding', 'BR'],
          ['Cache-Control', 'max-age=60'],
        ],
        isPreload: false,
        evidence: {
          scheme: 'http',
          devtools: {
            status: 200,
            transferSize: 917,
            fetchedViaServiceWorker: false,
            cacheControl: 'max-age=60',
          },
        },
      },
    ],
  });
});

test('an archive of another program gives no sources, and a warning says so', () => {
  const [load] = loads(har([entry()], { creator: { name: 'Firefox', version: '140' } }));
  expect(load?.depths).toEqual([]);
  expect(load?.warnings.join()).toContain('written by Firefox');
  expect(load?.resources[0]?.evidence).toEqual({ scheme: 'http' });
});

test('entries without a page form their own load, which begins with the first of them', () => {
  const stray = { pageref: 'page_9', startedDateTime: '2026-11-20T22:59:59.000Z' };
  const [load, strays] = loads(har([entry(), entry(stray), entry({ pageref: null })]));
  expect(load?.resources).toHaveLength(1);
  expect(strays).toMatchObject({ startedAt: '2026-11-20T22:59:59.000Z' });
  expect(strays?.resources.map(({ startMs }) => startMs)).toEqual([0, 1250]);
  expect(strays?.warnings.join()).toContain('belong to no page');
});

test('a page with an implausible start begins with its first entry', () => {
  const pages = [{ id: 'page_1', startedDateTime: '+058852-01-01T00:00:00.000Z', title: 'x' }];
  const startedDateTime = '2026-11-20T23:00:00.250Z';
  const [load] = loads(har([entry({ pageref: 'page_1', startedDateTime })], { pages }));
  expect(load?.startedAt).toBe(startedDateTime);
  expect(load?.resources[0]?.startMs).toBe(0);
});

test('another version of the format is refused', () => {
  const found = problems(har([entry()], { version: '2.0' }));
  expect(found).toEqual(['x.har: log.version: expected 1.1 or 1.2']);
});

test('an archive without usable entries is refused, with every problem and its location', () => {
  const broken = har([entry({ time: 'long', startedDateTime: 'yesterday' }), {}]);
  const found = problems(broken).join('\n');
  for (const place of ['0: startedDateTime', '0: time', '1: request', '1: response']) {
    expect(found).toContain(`x.har: log.entries.${place}: `);
  }
  const pages = [{ id: 1 }];
  expect(problems(har([{}], { pages })).join('\n')).toMatch(
    /log\.pages\.0: id: .*log\.entries\.0: /s,
  );
});

test('the list of problems is limited', () => {
  const found = problems(har(Array.from({ length: 200_000 }, () => 7)));
  expect(found.length).toBeLessThan(1100);
  expect(found.at(-1)).toBe('x.har: 199,900 more cannot be used.');
});

test.each([
  ['no entries', { log: { version: '1.2' } }, 'log.entries'],
  ['an empty archive', { log: { version: '1.2', entries: [] } }, 'holds no request'],
  ['a list', [], 'x.har'],
  ['null', null, 'x.har'],
])('%s is reported in words', (_, json, words) => {
  expect(problems(json).join('\n')).toContain(words);
});

test('fields of a later Cachescope are refused by their version', () => {
  const pages = [{ ...page, _cachescope: { schemaVersion: 2 } }];
  expect(problems(har([entry()], { pages }))).toEqual([
    expect.stringContaining('schema version 2, this one reads version 1'),
  ]);
});

test.each([
  ['a size in words', {}, { bodySize: 'many' }, 'response.bodySize: Invalid input'],
  ['no time', { startedDateTime: '' }, {}, 'startedDateTime: expected a date'],
  ['a time that no load can have', { time: 9e9 }, {}, 'durationMs: '],
])('an entry with %s is left out, counted and reported', (_what, change, response, reason) => {
  const [load] = loads(har([entry(), entry(change, response), entry()]));
  expect(load?.resources).toHaveLength(2);
  expect(load?.warnings).toEqual([
    expect.stringMatching(/^Excluded: 1 item of the archive that cannot be used \(x\.har: /),
  ]);
  expect(load?.warnings.join()).toContain(reason);
});

test.each([
  ['size', {}, { bodySize: -161 }, { encodedBytes: null }],
  ['time', { time: -5 }, {}, { durationMs: null }],
  ['phase', { timings: { wait: -12 } }, {}, { responseStartMs: null }],
])('a %s below 0 is unknown and affects nothing else', (_what, change, response, expected) => {
  const [load] = loads(har([entry(change, response)]));
  expect(load?.resources).toMatchObject([{ decodedBytes: 5031, ...expected }]);
  expect(load?.warnings).toEqual([]);
});

test.each(['', 'soon', null, undefined])(
  'a page whose start is %j begins with its first entry and keeps its times',
  (startedDateTime) => {
    const pages = [{ ...page, startedDateTime, pageTimings: { onLoad: 200 } }];
    const [load, ...others] = loads(har([entry()], { pages }));
    expect(others).toEqual([]);
    expect(load).toMatchObject({ startedAt: '2026-11-20T23:00:00.250Z', loadMs: 200 });
    expect(load?.warnings).toEqual([
      `The page began with its first request: the archive states its start as ${JSON.stringify(startedDateTime ?? '')}.`,
    ]);
  },
);

test('a page without a start and without entries is left out', () => {
  const pages = [page, { ...page, id: 'page_2', startedDateTime: '' }];
  const [load, ...others] = loads(har([entry()], { pages }));
  expect(others).toEqual([]);
  expect(load?.warnings.join()).toContain('log.pages: page_2: startedDateTime: expected a date');
});

test('an unusable page is left out, and its entries belong to no page', () => {
  const pages = [{ ...page, startedDateTime: 7 }];
  const [load, ...others] = loads(har([entry()], { pages }));
  expect(others).toEqual([]);
  expect(load?.resources).toHaveLength(1);
  expect(load?.warnings.join()).toContain('log.pages.0: startedDateTime');
});

test('unknown fields and prototype keys are dropped', () => {
  const text = JSON.stringify(har([entry({ note: '<b>' })])).replace(
    '"time":12.5',
    '"__proto__":{"polluted":1},"time":12.5',
  );
  const read = readHar({ name: 'x.har', json: JSON.parse(text) });
  expect(JSON.stringify(read)).not.toMatch(/polluted|<b>/);
  expect({}).not.toHaveProperty('polluted');
});

test('no JSON causes an exception, and accepted JSON fits the schema of loads', () => {
  const schema = z.array(loadSchema);
  fc.assert(
    fc.property(arbitraryJson, fc.boolean(), (value, isWrapped) => {
      const json = isWrapped ? { log: { version: '1.2', entries: value, pages: value } } : value;
      const read = readHar({ name: 'x.har', json });
      if ('problems' in read) expect(read.problems.length).toBeGreaterThan(0);
      else expect(schema.safeParse(read.value).success).toBe(true);
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('one broken value in a good archive is reported at its location, or has no effect', () => {
  const text = JSON.stringify(har([entry()]));
  const schema = z.array(loadSchema);
  // Each value in turn is replaced by one of another type.
  const values = text.matchAll(/:(-?[\d.]+|"[^"]*"|true|false|null)(?=[,}\]])/g);
  for (const match of values) {
    for (const wrong of ['{"x":1}', '[]', '1e999', '""', '-5']) {
      const broken = `${text.slice(0, match.index)}:${wrong}${text.slice(match.index + match[0].length)}`;
      const read = readHar({ name: 'x.har', json: JSON.parse(broken) });
      if ('value' in read) expect(schema.safeParse(read.value).success, broken).toBe(true);
    }
  }
});
