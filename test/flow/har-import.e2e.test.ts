import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attributeLoad } from '@cachescope/model/attributed-resource.ts';
import { dictionariesOf, dictionaryUse } from '@cachescope/model/dictionary-use.ts';
import { harOf } from '@cachescope/model/har-export.ts';
import { readHarText } from '@cachescope/model/har-import.ts';
import type { Load } from '@cachescope/model/load.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findChromium } from '../harness/browser/find.ts';
import { chromiumFlags } from '../harness/browser/flags.ts';
import { madeUpLoad } from './made-up-load.ts';

let directory: string;
let origin: Origin;
let workload: Workload;
let browser: Browser;
let page: Page;
let devtools: Page;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-har-'));
  workload = await findWorkload('synthetic:20kb');
  origin = await startOrigin({ workloads: [workload] });
  browser = await launch({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    userDataDir: join(directory, 'profile'),
    pipe: true,
    args: chromiumFlags({ cacheDirectory: join(directory, 'cache') }, process.getuid?.() === 0),
  });
  page = await browser.newPage();
  await page.goto(origin.url + pagePath);
  devtools = await page.openDevTools();
  await vi.waitUntil(
    () => devtools.evaluate(`${modules}.then(() => true)`).catch(() => false),
    10_000,
  );
});

afterAll(async () => {
  await browser?.close();
  await origin?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(async () => {
  await devtools.evaluate(`${modules}.then(({ log }) => log.reset(false))`);
});

/** DevTools' own network log, its HAR writer and its network panel. */
const modules = `Promise.all([
  import('./models/har/har.js'), import('./models/logs/logs.js'), import('./panels/network/network.js'),
]).then(([har, logs, network]) => ({
  har, log: logs.NetworkLog.NetworkLog.instance(), panel: network.NetworkPanel.NetworkPanel.instance({ forceNew: false }),
}))`;

/** A row of DevTools' network panel. */
interface Row {
  url: string;
  status: number;
  type: string;
  mimeType: string;
  cache: string;
  transferSize: number;
  resourceSize: number;
  durationMs: number;
}

/** Opens a text as a HAR file in DevTools, as its Import button does, and tells the rows that it shows then. */
async function importedRows(text: string): Promise<Row[]> {
  const rows = await devtools.evaluate(`${modules}.then(async ({ log, panel }) => {
    const file = new File([${JSON.stringify(text)}], 'x.har');
    await panel.networkLogView.onLoadFromFile(file);
    return log.requests().map((request) => ({
      url: request.url(),
      status: request.statusCode,
      type: request.resourceType().name(),
      mimeType: request.mimeType,
      cache: request.cachedInMemory() ? 'memory' : request.cached() ? 'disk' : '',
      transferSize: request.transferSize,
      resourceSize: request.resourceSize,
      durationMs: Math.round((request.endTime - request.issueTime()) * 1e3),
    }));
  })`);
  return rows as Row[];
}

/** The log of DevTools as it exports it. */
async function exportedHar(): Promise<string> {
  const text = await devtools.evaluate(`${modules}.then(async ({ har, log }) =>
    JSON.stringify({ log: await har.Log.Log.build(log.requests(), { sanitize: false }) }))`);
  return String(text);
}

function loads(text: string): Load[] {
  const read = readHarText({ name: 'x.har', text });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.value;
}

test('DevTools imports what we export, and shows the same of every resource', async () => {
  const load = madeUpLoad({ count: 60, state: 'warm' });
  const rows = await importedRows(JSON.stringify(harOf([load], '0.1.0')));
  expect(rows).toHaveLength(load.resources.length);
  const shown = new Map(rows.map((row) => [row.url, row]));
  const cacheOf: Record<string, string> = { memory: 'memory', disk: 'disk' };
  for (const { resource, attribution } of attributeLoad(load)) {
    const known = (value: number | null): number => value ?? 0;
    expect(shown.get(resource.url)).toMatchObject({
      status: resource.status ?? 0,
      type: resource.type,
      mimeType: resource.mimeType,
      cache: cacheOf[attribution.source] ?? '',
      transferSize: known(resource.transferredBytes),
      resourceSize: known(resource.decodedBytes),
      durationMs: Math.round(known(resource.durationMs)),
    });
  }
});

test('through DevTools and back, our export says the same', async () => {
  const load = madeUpLoad({ count: 60, state: 'warm' });
  await importedRows(JSON.stringify(harOf([load], '0.1.0')));
  const [again] = loads(await exportedHar());
  expect(again?.resources).toHaveLength(load.resources.length);
  const before = new Map(attributeLoad(load).map((row) => [row.resource.url, row]));
  for (const { resource, attribution } of again ? attributeLoad(again) : []) {
    const { resource: was, attribution: then } = before.get(resource.url) ?? {};
    expect(resource.method).toBe(was?.method ?? null);
    expect(resource.type).toBe(was?.type);
    expect([null, was?.decodedBytes]).toContain(resource.decodedBytes);
    if (then?.source === 'memory') expect(attribution.source).toBe('memory');
    if (then?.source === 'disk') expect(attribution.source).toBe('disk');
  }
});

test('what real DevTools recorded opens, with sources, sizes and dictionaries', async () => {
  const base = `${origin.url}/workloads/${encodeURIComponent(workload.name)}`;
  await page.evaluate(`(async () => {
    const text = async (path) => (await fetch(${JSON.stringify(base)} + path)).text();
    await text('/dictionary');
    // The browser offers a dictionary when it has read its metadata: a moment later.
    for (let tries = 0; tries < 10; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await text('/resource-probe');
    }
    await text('/resource');
    await text('/resource');
    await text('/resource/br');
    await text('/elsewhere');
    await (await fetch('data:text/plain,hello')).text();
    await fetch('http://127.0.0.1:1/').catch(() => undefined);
  })()`);
  await expect.poll(async () => JSON.parse(await exportedHar()).log.entries.length).toBe(17);
  const [load] = loads(await exportedHar());
  if (!load) throw new Error('no load');
  const known = dictionariesOf([load]);
  const rows = attributeLoad(load).map(({ resource, attribution }) => ({
    resource,
    source: attribution.source,
    use: dictionaryUse(resource, load, known),
  }));
  const found = (end: string) => rows.filter(({ resource }) => resource.url.endsWith(end));

  const [fetched, cached] = found('/resource');
  const dictionary = { url: `${base}/dictionary`, decodedBytes: workload.dictionary.length };
  expect(fetched).toMatchObject({
    source: expect.stringMatching(/network|unknown/),
    resource: { status: 200, coding: 'dcb', decodedBytes: workload.resource.length },
    use: { used: { coding: 'dcb', hash: workload.dictionarySha256, dictionary } },
  });
  expect(fetched?.resource.encodedBytes).toBeLessThan(500);
  expect(cached).toMatchObject({
    source: 'disk',
    resource: { coding: 'dcb', transferredBytes: 0, encodedBytes: null },
    use: { used: { isFromCache: true, dictionary: null } },
  });
  expect(found('/resource/br')[0]?.use).toMatchObject({
    notUsed: [{ rule: 'origin-chose-not', dictionaryUrl: `${base}/dictionary` }],
  });
  expect(found('/elsewhere')[0]?.use).toMatchObject({ notUsed: [{ rule: 'no-match' }] });
  // Before it had the dictionary, and for the dictionary itself, the browser offered none.
  expect(found('/dictionary')[0]?.use).toMatchObject({ notUsed: [{ rule: 'registered-later' }] });
  expect(found('data:text/plain,hello')[0]).toMatchObject({
    source: 'data',
    resource: { transferredBytes: null, decodedBytes: 5 },
    use: { notUsed: [{ rule: 'no-http' }] },
  });
  expect(found(':1/')[0]?.resource).toMatchObject({
    status: null,
    coding: null,
    transferredBytes: null,
    decodedBytes: null,
    responseStartMs: null,
  });
});

test('DevTools imports hostile texts as texts', async () => {
  const load = madeUpLoad({ count: 2 });
  const url = 'https://shop.example/<img src=x onerror="window.injected=1">';
  const resources = load.resources.map((resource) => ({
    ...resource,
    url,
    mimeType: '"><script>window.injected=1</script>',
    responseHeaders: [['x', '\0\uD800</script>']] as [string, string][],
  }));
  const rows = await importedRows(JSON.stringify(harOf([{ ...load, resources }], '0.1.0')));
  expect(rows.map((row) => row.url)).toEqual([url, url]);
  expect(await devtools.evaluate('window.injected')).toBeUndefined();
});
