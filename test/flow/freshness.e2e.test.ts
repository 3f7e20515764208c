import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CacheableResponse, usableUntil } from '@cachescope/model/caching/freshness.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldsAt } from '../../harness/conformance/situation.ts';
import { freshnessRows } from '../../harness/conformance/situations/freshness.ts';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';

const asked: number[] = freshnessRows.map(() => 0);
/** The body of a response is its number: it shows which response a page received. */
const server = createServer((request, response) => {
  const [, row] = /^\/row\/(\d+)$/.exec(request.url ?? '') ?? [];
  response.sendDate = false;
  if (row === undefined) {
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="data:,">');
    return;
  }
  const index = Number(row);
  const [fields, status = 200] = freshnessRows[index] ?? [[]];
  asked[index] = (asked[index] ?? 0) + 1;
  response.writeHead(status, fieldsAt(fields, Date.now()).flat());
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
    (await page.evaluate(`Promise.all(Array.from({ length: ${freshnessRows.length} }, async (_, row) => {
    const read = async () => (await fetch('/row/' + row)).text();
    return [await read(), await read()];
  }))`)) as [string, string][];
  const table = freshnessRows.map(([fields, status = 200], index) => {
    const headers = fieldsAt(fields, receivedAt);
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
  expect(table.filter(({ ours }) => ours === 'usable').length).toBeGreaterThan(
    freshnessRows.length / 3,
  );
});
