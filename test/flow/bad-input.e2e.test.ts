import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { harOf } from '@cachescope/model/har/export.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import { loadDocumentText } from '@cachescope/model/load/document.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import type { Page, WebWorker } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';

const markup = '<img src=x onerror="window.injected=1"><script>window.injected=1</script>';

let panel: PanelBrowser;
let origin: Origin;
let worker: WebWorker;
let page: Page;
/** Console errors and page errors that must not occur. */
let trouble: string[];
let stored: unknown;

/** The stored loads of the extension, in full. */
async function storedLoads(): Promise<unknown> {
  return worker.evaluate(`cachescope.loads().then((heads) =>
    Promise.all(heads.map(({ id }) => cachescope.load(id))))`);
}

beforeAll(async () => {
  origin = await startOrigin({ workloads: [] });
  panel = await panelBrowser();
  worker = await panel.serviceWorker();
  // Directly after its start the worker's global scope is not ready yet.
  const isReady = async () =>
    (await worker.evaluate('typeof cachescope').catch(String)) === 'object';
  await vi.waitUntil(isReady, { timeout: hangLimitMs });
  const tabId: unknown =
    await worker.evaluate(`cachescope.open(${JSON.stringify(origin.url + pagePath)})
    .then(async ({ tabId }) => {
      await cachescope.watch(tabId, 'page');
      await chrome.tabs.reload(tabId);
      return tabId;
    })`);
  // Wait for two complete loads: after that they no longer change.
  const areWhole = async () => {
    const heads = (await worker.evaluate('cachescope.loads()')) as LoadHead[];
    return heads.length === 2 && heads.every(({ loadMs }) => loadMs !== null);
  };
  await vi.waitUntil(areWhole, { timeout: hangLimitMs });
  await worker.evaluate(`cachescope.unwatch(${String(tabId)})`);
  stored = await storedLoads();
});

afterAll(async () => {
  await panel?.close();
  await origin?.close();
});

beforeEach(async () => {
  trouble = [];
  page = await panel.newPage();
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('dialog', (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(panel.panelUrl);
  await page.waitForSelector('body[data-ready]');
});

afterEach(async () => {
  expect(trouble).toEqual([]);
  expect(await page.evaluate('window.injected')).toBeUndefined();
  expect(await page.$$('main img[src="x"], main script')).toEqual([]);
  expect(await storedLoads()).toEqual(stored);
  await page.close();
});

/** Creates a test file with this content; a number creates a sparse file of that size, in bytes. */
async function made(name: string, content: string | Uint8Array | number): Promise<string> {
  await mkdir(join(panel.directory, 'files'), { recursive: true });
  const path = join(panel.directory, 'files', name);
  await writeFile(path, typeof content === 'number' ? '' : content);
  if (typeof content === 'number') await truncate(path, content);
  return path;
}

/** Drops files on the panel. */
async function drop(...paths: string[]): Promise<void> {
  const session = await page.createCDPSession();
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  }
  await session.detach();
}

const text = (selector: string): Promise<string> =>
  page.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' ').trim());

async function refusal(...paths: string[]): Promise<string> {
  await drop(...paths);
  await page.waitForSelector('[role=alert]');
  return text('[role=alert]');
}

const good = madeUpLoad({ count: 20 });
const har = JSON.stringify(harOf([good], '0.1.0'));
const broken = { time: 'x', startedDateTime: 1, request: null, response: [] };

test.each<[name: string, content: string | Uint8Array | number, says: RegExp]>([
  ['huge.har', 500 * 1024 ** 2, /huge\.har is 500 MiB; at most 256 MiB .*sanitized/],
  ['huge.json', 300 * 1024 ** 2, /huge\.json is 300 MiB; at most 256 MiB/],
  ['cut.har', har.slice(0, -100), /cut\.har is not JSON/],
  ['empty.har', '', /empty\.har is empty/],
  ['page.har.gz', gzipSync(har), /compressed with gzip: decompress it first/],
  ['picture.har', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]), /is not JSON/],
  ['later.har', har.replace('"1.2"', '"7.0"'), /log\.version: .*expected 1\.1 or 1\.2/],
  ['no-entries.har', '{"log":{"version":"1.2"}}', /log\.entries: /],
  ['later.json', '{"schemaVersion":99,"loads":[]}', /schema version 99, this .* version 1/],
  [
    'later-run.json',
    JSON.stringify({ ...madeUpRun(2), run: { schemaVersion: 99 } }),
    /schema version 99/,
  ],
  ['deep.har', '{"log":'.repeat(50_000) + '1' + '}'.repeat(50_000), /log\.entries: /],
  ['prototype.json', '{"__proto__":{"loads":[]},"constructor":1}', /no schemaVersion/],
  ['nul.har', har.replace('"log"', '"lo\0g"'), /is not JSON/],
  ['markup.json', markup, /is not JSON/],
  [
    'flood.har',
    JSON.stringify({
      log: { version: '1.2', entries: Array.from({ length: 50_000 }, () => broken) },
    }),
    /log\.entries\.0: startedDateTime: .* and \d+ more/,
  ],
])('%s is refused with a clear message', async (name, content, says) => {
  expect(await refusal(await made(name, content))).toMatch(says);
});

test('markup in a name, a version or a field is shown as text in the message', async () => {
  const name = '<img src=x onerror=window.injected=1>.har';
  const content = JSON.stringify({ log: { version: markup, entries: [{ [markup]: 1 }] } });
  expect(await refusal(await made(name, content))).toContain('<img src=x onerror');
});

test('after a rejected file a good file opens, also with a byte order mark', async () => {
  await refusal(await made('cut.har', har.slice(0, -100)));
  await drop(await made('good.har', `\uFEFF${har}`));
  await page.waitForSelector('[role=grid] .row');
  expect(await page.$$('[role=alert]')).toEqual([]);
  expect(await text('[role=status]')).toContain('20 requests');
});

/** A load in which every string is hostile. */
function hostileLoad(): Load {
  const resources = good.resources.map((resource, index) => ({
    ...resource,
    url: [`https://a/${markup}`, `javascript:window.injected=1//${index}`, '__proto__', '\uD800'][
      index % 4
    ] as string,
    method: markup,
    mimeType: `text/html"${markup}`,
    coding: markup,
    initiatorType: 'constructor',
    requestHeaders: [['cookie', markup]] as [string, string][],
    responseHeaders: [
      ['use-as-dictionary', `match="/${markup.replaceAll('"', String.raw`\"`)}"`],
      ['__proto__', '\0\u2028'],
    ] as [string, string][],
  }));
  return {
    ...good,
    id: '__proto__',
    url: `javascript:window.injected=1`,
    resources,
    warnings: [markup],
  };
}

test('hostile strings of a load are shown as text in every part of the drawer', async () => {
  await drop(await made('hostile.json', loadDocumentText([hostileLoad()])));
  await page.waitForSelector('[role=grid] .row');
  expect(await text('main')).toContain('<img src=x onerror');
  for (const row of [0, 1, 2, 3]) {
    const rows = await page.$$('[role=grid] .row');
    await rows[row]?.click();
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=tab]');
    for (const tab of await page.$$('[role=tab]')) {
      await tab.click();
      expect((await text('[role=tabpanel]')).length).toBeGreaterThan(0);
    }
  }
});

test('a file with very many valid entries opens, and the panel stays responsive', async () => {
  const [first] = (JSON.parse(har) as { log: { entries: Record<string, unknown>[] } }).log.entries;
  const { _cachescope: _ours, ...entry } = first ?? {};
  const log = {
    version: '1.2',
    creator: { name: 'WebInspector' },
    entries: Array.from({ length: 30_000 }, () => entry),
  };
  await drop(await made('flood.har', JSON.stringify({ log })));
  await page.waitForSelector('[role=grid] .row');
  expect(await text('[role=status]')).toContain('30,000 requests');
  const answered = await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => resolve(true)))',
  );
  expect(answered).toBe(true);
});
