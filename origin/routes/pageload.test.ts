import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PageOrigin, startPageOrigin } from '../pageload-server.ts';
import { buildSite, type PageSite } from '../workloads/pageload-site.ts';

const usual = {
  wireShare: 0.3,
  coding: 'br',
  caching: 'fresh',
  parent: 0,
  priority: null,
  bodyBytes: 20_000,
} as const;
const page: Page = {
  source: 'made up',
  bodies: 'synthetic',
  resources: [
    {
      ...usual,
      url: 'https://site.example/',
      name: 'index',
      type: 'document',
      mimeType: 'text/html',
      parent: null,
      caching: 'stale',
    },
    {
      ...usual,
      url: 'https://cdn.example/a.js',
      name: 'a.js',
      type: 'script',
      mimeType: 'text/javascript',
      coding: 'gzip',
    },
    {
      ...usual,
      url: 'https://ads.example/p.gif',
      name: 'p.gif',
      type: 'image',
      mimeType: 'image/gif',
      bodyBytes: 43,
      caching: 'no-store',
    },
  ],
};

let site: PageSite;
let origin: PageOrigin;
beforeAll(async () => {
  site = await buildSite({ page, bodies: new Map(), notes: [] }, true);
  origin = await startPageOrigin(site);
});
afterAll(() => origin.close());

const accept = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const get = (url: string, headers: Record<string, string> = accept) =>
  origin.server.inject({ url, headers });

test('each resource has its size, type, coding and cacheability', async () => {
  const answers = await Promise.all(
    ['0/index', '1/a.js', '2/p.gif'].map((path) => get(`/pageload/new/${path}`)),
  );
  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual([
    'no-cache',
    'max-age=31536000',
    'no-store',
  ]);
  expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([
    'br',
    'gzip',
    // A coding would make it larger, and Chromium would then not store it.
    undefined,
  ]);
  expect(answers.map(({ headers }) => headers['content-type'])).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'image/gif',
  ]);
  const [document, script, image] = answers.map(({ rawPayload }) => rawPayload);
  expect(brotliDecompressSync(document ?? '').length).toBe(20_000);
  expect(gunzipSync(script ?? '').length).toBe(20_000);
  expect(image?.length).toBe(43);
});

test('the page can connect to no other origin', async () => {
  const { headers } = await get('/pageload/new/0/index');
  expect(headers['content-security-policy']).toMatch(/^default-src 'self'/);
  expect(headers['content-security-policy']).not.toMatch(/https?:|\*/);
});

test('a revalidation gets 304', async () => {
  const { headers } = await get('/pageload/new/0/index');
  const again = await get('/pageload/new/0/index', {
    ...accept,
    'if-none-match': String(headers.etag),
  });
  expect(again.statusCode).toBe(304);
  expect(again.headers['cache-control']).toBe('no-cache');
});

test('the previous version is a dictionary, and a client that has stored it gets dcb', async () => {
  const older = await get('/pageload/old/1/a.js');
  expect(older.headers['use-as-dictionary']).toBe('match="/pageload/new/1/*", id="pageload-1"');
  const hash = site.resources[1]?.representations.dictionary?.sha256 ?? '';
  const newer = await get('/pageload/new/1/a.js', {
    'accept-encoding': 'gzip, br, zstd, dcb, dcz',
    'available-dictionary': `:${Buffer.from(hash, 'hex').toString('base64')}:`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'no-cors',
  });
  expect(newer.headers['content-encoding']).toBe('dcb');
  expect(newer.rawPayload.length).toBeLessThan(3000);
});

test('a 304 of a previous version has no length, also for HEAD (RFC 9110 section 8.6)', async () => {
  const url = '/pageload/old/1/a.js';
  const { headers } = await get(url);
  const known = { ...accept, 'if-none-match': String(headers.etag) };
  const again = await origin.server.inject({ method: 'HEAD', url, headers: known });
  expect([again.statusCode, again.headers['content-length']]).toEqual([304, undefined]);
});

test.each([
  '/pageload/new/9/a.js',
  '/pageload/new/1/b.js',
  '/pageload/new/x/a.js',
  '/pageload/old/0/index',
])('%s does not exist', async (url) => {
  expect((await get(url)).statusCode).toBe(404);
});
