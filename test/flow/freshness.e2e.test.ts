import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CacheableResponse, usableUntil } from '@cachescope/model/caching/freshness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';

type Lines = readonly (readonly [name: string, value: string])[];

const httpDate = (fromNowS: number): string => new Date(Date.now() + fromNowS * 1000).toUTCString();
const at = (fromNowS: number, form: (date: string) => string = (date) => date): string =>
  form(httpDate(fromNowS));
const control = (value: string, ...others: Lines): Lines => [['Cache-Control', value], ...others];
const expires = (value: string): Lines => [['Expires', value]];
const year = 'Thu, 18 Aug 2050 02:01:18';
const now = (): Lines[number] => ['Date', httpDate(0)];

/** Header fields of a response, and its status unless it is 200. Date is sent only when a row names it. */
const rows: readonly (readonly [fields: Lines, status?: number])[] = [
  [[]],
  [[now()]],
  // Cache-Control
  [control('max-age=600')],
  [control('max-age=0')],
  [control('MAX-AGE=600')],
  [control('max-age="600"')],
  [control('max-age = 600')],
  [control('max-age= 600')],
  [control('max-age =600')],
  [control('max-age=600.5')],
  [control('max-age=-600')],
  [control('max-age=+600')],
  [control('max-age=600s')],
  [control('max-age=')],
  [control('max-age')],
  [control('max-age=99999999999999999999')],
  [control('max-age=0, max-age=600')],
  [control('max-age=600, max-age=0')],
  [control('max-age=x, max-age=600')],
  [control('max-age=600', ['Cache-Control', 'max-age=0'])],
  [control('s-maxage=600')],
  [control('s-maxage=600, max-age=0')],
  [control('public')],
  [control('private, max-age=600')],
  [control('immutable, max-age=600')],
  [control('a="max-age=600"')],
  [control('a="x, max-age=600"')],
  [control('max-age=600; public')],
  [control('no-cache, max-age=600')],
  [control('No-Cache, max-age=600')],
  [control('no-cache="x", max-age=600')],
  [control('no-cache=x, max-age=600')],
  [control('no-store, max-age=600')],
  [control('no-store="x", max-age=600')],
  [control('must-revalidate, max-age=600')],
  [control('must-understand, no-store, max-age=600')],
  [control('max-age=600', ['CDN-Cache-Control', 'max-age=0'])],
  [control('max-age=600', ['Pragma', 'no-cache'])],
  [control('max-age=600', ['Pragma', 'x, no-cache'])],
  [control('max-age=600', ['Pragma', 'NO-CACHE'])],
  [control('max-age=600', ['Pragma', 'x'])],
  [[...expires(at(600)), ['Pragma', 'no-cache']]],
  [control('max-age=600', ['Vary', '*'])],
  [control('max-age=600', ['Vary', 'x, *'])],
  [control('max-age=600', ['Vary', 'accept'])],
  [control('max-age=600', ...expires('0'))],
  [control('max-age=0', ...expires(at(600)))],
  [control('max-age=x', ...expires(at(600)))],
  // stale-while-revalidate
  [control('max-age=0, stale-while-revalidate=600')],
  [control('stale-while-revalidate=600')],
  [control('max-age=0, must-revalidate, stale-while-revalidate=600')],
  [control('no-cache, stale-while-revalidate=600')],
  [control('max-age=0, stale-while-revalidate="600"')],
  [control('max-age=0, stale-while-revalidate=600', ['Vary', '*'])],
  // Age and Date
  [control('max-age=600', ['Age', '0'])],
  [control('max-age=600', ['Age', '700'])],
  [control('max-age=600', ['Age', '700, 0'])],
  [control('max-age=600', ['Age', '0, 700'])],
  [control('max-age=600', ['Age', '0'], ['Age', '700'])],
  [control('max-age=600', ['Age', '-700'])],
  [control('max-age=600', ['Age', '+700'])],
  [control('max-age=600', ['Age', '700.0'])],
  [control('max-age=600', ['Age', '700;x=1'])],
  [control('max-age=600', ['Age', '"700"'])],
  [control('max-age=600', ['Age', 'x'])],
  [control('max-age=600', ['Age', '99999999999999999999'])],
  [control('max-age=600', ['Date', at(-700)])],
  [control('max-age=600', ['Date', at(700)])],
  [control('max-age=600', ['Date', 'x'])],
  [control('max-age=600', ['Date', at(-700, (date) => date.replace('GMT', 'UTC'))])],
  // Expires
  [expires(at(600))],
  [expires(at(-600))],
  [[...expires(at(600)), now()]],
  [[...expires(at(-600)), ['Date', at(-1200)]]],
  [[...expires(at(600)), ['Date', at(700)]]],
  [[...expires(at(600)), ['Date', 'x']]],
  [[...expires(at(600)), ['Age', '700']]],
  [expires('0')],
  [expires('-1')],
  [expires('')],
  [expires('x')],
  [expires('3600')],
  [expires('86400')],
  [expires('2050')],
  [expires('20500818')],
  [expires('2050-08-18')],
  [expires('2050-08-18T02:01:18Z')],
  [expires('8/18/2050')],
  [expires('18/8/2050')],
  [expires('2050/8/18')],
  [expires('8-18-50')],
  [expires('8/18')],
  [expires(`${year} GMT`)],
  [expires(`${year.toLowerCase()} gmt`)],
  [expires(`${year} UTC`)],
  [expires(`${year} AEST`)],
  [expires(year)],
  [expires(`${year} +0000`)],
  [expires('Thursday, 18-Aug-50 02:01:18 GMT')],
  [expires('Thursday, 18-Aug-99 02:01:18 GMT')],
  [expires('Thu Aug 18 02:01:18 2050')],
  [expires('Thu Aug  8 02:01:18 2050')],
  [expires('Thu, 18 Aug 50 02:01:18 GMT')],
  [expires('Thu 18 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 18  Aug  2050 02:01:18 GMT')],
  [expires('Thu, 18-Aug-2050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 2050 02.01.18 GMT')],
  [expires('Thu, 18 Aug 2050 2:01:18 GMT')],
  [expires('Thu, 18 August 2050 02:01:18 GMT')],
  [expires('18 Aug 2050')],
  [expires('Aug 2050')],
  [expires('Mon, 18 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 32 Aug 2050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 2050 25:01:18 GMT')],
  [expires('Thu, 18 Aug 3050 02:01:18 GMT')],
  [expires('Thu, 18 Aug 205 02:01:18 GMT')],
  [expires('2050 Aug 18 02:01:18')],
  [expires('Aug 18 02:01 2050')],
  [expires('18Aug2050')],
  [[...expires(at(600)), ...expires(at(-600))]],
  [[...expires(at(-600)), ...expires(at(600))]],
  // Time zones: one hour west or east of GMT.
  [[...expires(at(600, (date) => date.replace('GMT', '+0100'))), now()]],
  [[...expires(at(-600, (date) => date.replace('GMT', '-0100'))), now()]],
  [[...expires(at(-600, (date) => date.replace('GMT', 'EST'))), now()]],
  [[...expires(at(600, (date) => date.replace('GMT', 'BST'))), now()]],
  [[...expires(at(600, (date) => date.replace('GMT', 'CET'))), now()]],
  // Heuristic freshness from Last-Modified
  [[['Last-Modified', at(-100_000)]]],
  [[['Last-Modified', at(-100_000)], now()]],
  [[['Last-Modified', at(100_000)], now()]],
  [
    [
      ['Last-Modified', at(-100_000)],
      ['Age', '20000'],
    ],
  ],
  [[['Last-Modified', 'x'], now()]],
  [[['Last-Modified', at(-100_000)], now()], 203],
  [[['Last-Modified', at(-100_000)], now()], 404],
  [control('must-revalidate', ['Last-Modified', at(-100_000)], now())],
  [control('public', ['Last-Modified', at(-100_000)], now())],
  [[['Last-Modified', at(-100_000)], now(), ...expires('0')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires(' 0 ')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('00')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('-1')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('')]],
  [[['Last-Modified', at(-100_000)], now(), ...expires('x')]],
  [control('must-revalidate', ['Last-Modified', at(-100_000)], now(), ...expires('x'))],
  // Statuses
  [[], 203],
  [[], 300],
  [[], 301],
  [expires('0'), 301],
  [expires('x'), 301],
  [expires('-1'), 410],
  [[], 308],
  [[], 404],
  [[], 410],
  [control('no-cache'), 301],
  [control('max-age=600'), 404],
];

const asked: number[] = rows.map(() => 0);
/** The body of a response is its number: it shows which response a page received. */
const server = createServer((request, response) => {
  const [, row] = /^\/row\/(\d+)$/.exec(request.url ?? '') ?? [];
  response.sendDate = false;
  if (row === undefined) {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">');
    return;
  }
  const index = Number(row);
  const [fields, status = 200] = rows[index] ?? [[]];
  asked[index] = (asked[index] ?? 0) + 1;
  response.writeHead(status, fields.flat());
  response.end(`${asked[index]}`);
});
let panel: PanelBrowser;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  panel = await panelBrowser();
});
afterAll(async () => {
  await panel?.close();
  server.closeAllConnections();
  server.close();
});

test('Chromium serves from its cache what we call usable, and requests again what we call stale', async () => {
  const page = await panel.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const receivedAt = Date.now();
  const given =
    (await page.evaluate(`Promise.all(Array.from({ length: ${rows.length} }, async (_, row) => {
    const read = async () => (await fetch('/row/' + row)).text();
    return [await read(), await read()];
  }))`)) as [string, string][];
  const table = rows.map(([headers, status = 200], index) => {
    const response: CacheableResponse = { status, headers, receivedAt };
    const chromium = given[index]?.[1] === '1' ? 'usable' : 'stale';
    return {
      row: `${status} ${headers.map((line) => line.join(': ')).join(' | ')}`,
      chromium,
      ours: usableUntil(response) > receivedAt ? 'usable' : 'stale',
      // A response that is used during its revalidation is also requested again.
      isWitnessed:
        (asked[index] === 1) === (chromium === 'usable') ||
        headers.some(([, value]) => value.includes('stale-while-revalidate')),
    };
  });
  expect(table.filter(({ chromium, ours }) => chromium !== ours)).toEqual([]);
  expect(table.filter(({ isWitnessed }) => !isWitnessed)).toEqual([]);
  // A table in which both sides call everything stale would prove nothing.
  expect(table.filter(({ ours }) => ours === 'usable').length).toBeGreaterThan(rows.length / 3);
});
