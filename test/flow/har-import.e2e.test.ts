import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { attributeLoad } from '@cachescope/model/attribution/attributed-resource.ts';
import { dictionariesOf, dictionaryUse } from '@cachescope/model/dictionary/use.ts';
import { harProblems } from '@cachescope/model/fixtures/har-problems.ts';
import { harOf } from '@cachescope/model/har/export.ts';
import { readHar } from '@cachescope/model/har/import.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { sampleHar } from '@cachescope/origin/workloads/pageload-samples.ts';
import type { Entry, Har } from 'har-format';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { recordHar } from '../../harness/browser/record-har.ts';
import { base, cachescope } from '../command-under-test.ts';
import {
  emptyNetworkLog,
  harOfDevTools,
  hasNetworkLog,
  rowsOfImport,
} from '../devtools-network.ts';
import { hangLimitMs } from '../hang-limit.ts';

let origin: Origin;
let workload: Workload;
let panel: PanelBrowser;
let page: Page;
let devtools: Page;

beforeAll(async () => {
  workload = await findWorkload('synthetic:20KiB');
  origin = await startOrigin({ workloads: [workload] });
  panel = await panelBrowser();
  page = await panel.newPage();
  await page.goto(origin.url + pagePath);
  devtools = await panel.openDevTools(page);
  await hasNetworkLog(devtools);
});

afterAll(async () => {
  await panel?.close();
  await origin?.close();
});

beforeEach(() => emptyNetworkLog(devtools));

const importedRows = (text: string) => rowsOfImport(devtools, text);
const exportedHar = () => harOfDevTools(devtools);

function loads(text: string): Load[] {
  const read = readHar({ name: 'x.har', json: JSON.parse(text) });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.value;
}

test('DevTools imports our export and shows the same values for every resource', async () => {
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

test('our export is unchanged after DevTools imports and exports it', async () => {
  const load = madeUpLoad({ count: 60, state: 'warm' });
  await importedRows(JSON.stringify(harOf([load], '0.1.0')));
  const [again] = loads(await exportedHar());
  expect(again?.resources).toHaveLength(load.resources.length);
  const before = new Map(attributeLoad(load).map((row) => [row.resource.url, row]));
  for (const { resource, attribution } of again ? attributeLoad(again) : []) {
    const { resource: was, attribution: then } = before.get(resource.url) ?? {};
    // DevTools drops the comment that the method is unknown and that GET is a placeholder.
    expect(resource.method).toBe(was?.method ?? 'GET');
    expect(resource.type).toBe(was?.type);
    expect([null, was?.decodedBytes]).toContain(resource.decodedBytes);
    if (then?.source === 'memory') expect(attribution.source).toBe('memory');
    if (then?.source === 'disk') expect(attribution.source).toBe('disk');
  }
});

/** The command gives the verdicts of the panel, budgets hold as the origin's log says, and DevTools opens what it writes. */
async function judgedByCommand(text: string, rows: readonly { source: string }[]): Promise<void> {
  const path = (name: string) => join(base, name);
  writeFileSync(path('recording.har'), text);
  const budget = (maxCount: number) => {
    const only = {
      matchingUrlPattern: '/resource$',
      assertions: { disk: ['error', { maxCount }] },
    };
    writeFileSync(path(`disk-${maxCount}.json`), JSON.stringify({ assertMatrix: [only] }));
    return path(`disk-${maxCount}.json`);
  };
  const har = (...args: string[]) => cachescope('har', path('recording.har'), ...args);
  const judged = await har('--json', '--assert', budget(1), '--out', path('annotated.har'));
  expect(judged).toMatchObject({ code: 0, stderr: '' });
  const sources = (JSON.parse(judged.stdout) as { rows: { source: string }[] }).rows;
  const sorted = (list: readonly { source: string }[]) =>
    list.map(({ source }) => source.split('/', 1).join()).toSorted();
  expect(sorted(sources)).toEqual(sorted(rows));
  expect(await har('--assert', budget(0))).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('CS_BUDGET: \n  - disk maxCount 0 for /resource$: 1 of 2'),
  });
  const linted = await cachescope('lint', path('recording.har'), '--json');
  expect(linted).toMatchObject({ code: 0, stderr: '' });
  expect(linted.stdout).not.toMatch(/"level": "(error|warning)"/);
  await emptyNetworkLog(devtools);
  expect(await importedRows(readFileSync(path('annotated.har'), 'utf8'))).toHaveLength(rows.length);
}

test('a recording of real DevTools opens, with sources, sizes and dictionaries', async () => {
  const base = `${origin.url}/workloads/${encodeURIComponent(workload.name)}`;
  const text = `async (path) => (await fetch(${JSON.stringify(base)} + path)).text()`;
  await page.evaluate(`(${text})('/dictionary')`);
  // The browser offers a dictionary only after it has read its metadata, a moment later.
  let probes = 0;
  for (let isOffered = false; !isOffered; probes++) {
    const mark = origin.log.mark();
    await page.evaluate(`(${text})('/resource-probe')`);
    isOffered = origin.log
      .since(mark)
      .some(({ availableDictionary }) => availableDictionary === workload.dictionarySha256);
  }
  await page.evaluate(`(async () => {
    const text = ${text};
    await text('/resource');
    await text('/resource');
    await text('/resource/br');
    await text('/elsewhere');
    await (await fetch('data:text/plain,hello')).text();
    await fetch('http://127.0.0.1:1/').catch(() => undefined);
  })()`);
  // The dictionary, the probes, and six other resources.
  await expect
    .poll(async () => JSON.parse(await exportedHar()).log.entries.length, { timeout: hangLimitMs })
    .toBe(1 + probes + 6);
  const exported = await exportedHar();
  const [load] = loads(exported);
  if (!load) throw new Error('no load');
  const known = dictionariesOf([load]);
  const rows = attributeLoad(load).map(({ resource, attribution }) => ({
    resource,
    source: attribution.source,
    use: dictionaryUse(resource, load, known),
  }));
  const found = (end: string) => rows.filter(({ resource }) => resource.url.endsWith(end));

  await judgedByCommand(exported, rows);

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

test('a dictionary of another site is explained by the third-party cookie rule, in a frame too', async () => {
  const otherSite = origin.url.replace('127.0.0.1', 'localhost');
  const base = `${otherSite}/workloads/${encodeURIComponent(workload.name)}`;
  // On a page of its own site Chromium offers it, once it has read its metadata: the rule depends on the site.
  const own = await panel.newPage();
  await own.goto(otherSite + pagePath);
  const read = (from: Frame, path: string) =>
    from.evaluate(`fetch(${JSON.stringify(base + path)}).then((found) => found.text())`);
  const offered = async (from: Frame): Promise<boolean> => {
    const mark = origin.log.mark();
    await read(from, '/resource-probe');
    const sent = origin.log.since(mark).map(({ availableDictionary }) => availableDictionary);
    return sent.includes(workload.dictionarySha256);
  };
  // A cross-origin isolated page embeds no ordinary cross-origin frame. The new page has a new process: DevTools misses
  // its first request.
  await page.goto(`${origin.url}/warm-up`);
  await page.reload();
  await page.evaluate(`new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(base)} + '/resource/identity' });
    frame.onload = resolve;
    document.body.append(frame);
  })`);
  const inside = page.frames().find((each) => each.url().startsWith(base)) as Frame;
  for (const from of [page.mainFrame(), inside, own.mainFrame()]) await read(from, '/dictionary');
  while (!(await offered(own.mainFrame())));
  for (const from of [page.mainFrame(), inside]) expect(await offered(from)).toBe(false);

  // The frame has its own process; DevTools exports its requests without a page, and the panel assigns them to the
  // load.
  let load: Load | undefined;
  let probes: Load['resources'] = [];
  await expect
    .poll(
      async () => {
        const all = loads(await exportedHar());
        const [first] = all;
        const began = (each: Load) =>
          Date.parse(each.startedAt) - Date.parse(first?.startedAt ?? '');
        const resources = all.flatMap((each) =>
          each.resources.map((one) => ({ ...one, startMs: one.startMs + began(each) })),
        );
        load = first && { ...first, resources };
        probes = resources.filter(({ url }) => url.endsWith('/resource-probe'));
        return probes.length;
      },
      { timeout: hangLimitMs },
    )
    .toBe(2);
  const known = load ? dictionariesOf([load]) : [];
  for (const probe of probes) {
    expect(dictionaryUse(probe, load as Load, known)).toMatchObject({
      notUsed: [{ rule: 'third-party-cookies', says: expect.stringContaining('are blocked') }],
    });
  }
  await own.close();
});

test('the archives of the samples, of --save-har and of a load with few known values open with every row', async () => {
  const { path: chromiumPath } = (await findChromium(undefined)) ?? { path: 'chromium' };
  const redirecting = createServer((_request, response) => {
    response.writeHead(302, { location: `${origin.url}/` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
  const recorded = (await recordHar({ chromiumPath, url, external: false })) as Har;
  redirecting.close();
  expect(harProblems(recorded)).toEqual([]);
  expect(recorded.log.entries.map(({ response }) => response.status)).toEqual([302, 200]);
  const load = madeUpLoad({ count: 4 });
  const untold = { method: null, durationMs: null, responseStartMs: null, status: null };
  const resources = load.resources.map((resource) => ({ ...resource, ...untold }));
  const initiator = { type: 'parser', url: load.url, lineNumber: 3 };
  const told = load.resources.map((each) => ({ ...each, priority: 'VeryLow', initiator }));
  const archives = [
    sampleHar('news'),
    sampleHar('app'),
    recorded,
    harOf([{ ...load, resources }], '0.1.0'),
    harOf([{ ...load, resources: told }], '0.1.0'),
  ] as Har[];
  for (const har of archives) {
    await emptyNetworkLog(devtools);
    const rows = await importedRows(JSON.stringify(har));
    const { entries } = har.log;
    expect(rows.map(({ url }) => url).toSorted()).toEqual(
      entries.map(({ request }) => request.url).toSorted(),
    );
    for (const { url, durationMs, priority, initiatorType } of rows) {
      const entry = entries.find(({ request }) => request.url === url) as Entry;
      expect(durationMs).toBeCloseTo(entry.time, -1);
      expect(priority).toBe(entry._priority ?? null);
      expect(initiatorType).toBe((entry._initiator as { type?: string } | undefined)?.type ?? null);
    }
  }
  expect(archives.map(({ log }) => log.entries.length)).toEqual([300, 44, 2, 4, 4]);
});

test('DevTools imports hostile strings as text', async () => {
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
