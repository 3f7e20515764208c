import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { harProblems } from '@cachescope/model/fixtures/har-problems.ts';
import { harOf } from '@cachescope/model/har/export.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import type { Har } from 'har-format';
import type { Frame, Page, WebWorker } from 'puppeteer-core';
import { costRange, depthCosts } from '../../extension/panel/loads/depth-cost.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import {
  emptyNetworkLog,
  harOfDevTools,
  hasNetworkLog,
  rowsOfImport,
} from '../devtools-network.ts';
import { hangLimitMs } from '../hang-limit.ts';

const script = Buffer.from(`/* ${'a script that is read back '.repeat(400)} */`);
const images = 20;

let server: Server;
let origin: string;
/** Paths that reached the origin, in order. */
const requests: string[] = [];
let panel: PanelBrowser;
let worker: WebWorker;
let page: Page;
let devtools: Page;
let frame: Frame;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
      response.end(html);
      return;
    }
    const isScript = path.endsWith('.js');
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'image/svg+xml',
      'cache-control': 'max-age=3600',
      ...(isScript ? { 'content-encoding': 'br' } : {}),
    });
    response.end(isScript ? brotliCompressSync(script) : image);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  panel = await panelBrowser();
  worker = await panel.serviceWorker();
  page = await panel.newPage();
  await page.goto(`${origin}/`);
  devtools = await panel.openDevTools(page);
  await devtools.setViewport({ width: 1400, height: 800 });
  frame = await shownPanel();
  // Chromium may have loaded the page before the extension's content scripts: then only a reload is a whole load.
  const reloadedAtMs = Date.now();
  await page.reload({ waitUntil: 'load' });
  // Otherwise this load would count as the first reload.
  const isWhole = async () => {
    const heads = (await worker.evaluate('cachescope.loads()')) as LoadHead[];
    const own = heads.find(({ startedAt }) => Date.parse(startedAt) >= reloadedAtMs);
    const shown = await frame.evaluate("document.querySelector('.load-list select')?.value");
    return own?.id === shown && own !== undefined && (await names()).length > expected.length;
  };
  await vi.waitUntil(isWhole, { timeout: hangLimitMs });
});

afterAll(async () => {
  await panel?.close();
  server?.closeAllConnections();
  server?.close();
});

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const html = `<!doctype html><link rel="icon" href="data:,"><script src="/main.js"></script>${Array.from(
  { length: images },
  (_, index) => `<img src="/${index}.svg">`,
).join('')}`;

/** Brings the panel to the front, like a click on its tab. DevTools loads an extension's page lazily. */
async function shownPanel(): Promise<Frame> {
  const isShown = (): Promise<unknown> =>
    devtools.evaluate(`import('./ui/legacy/legacy.js').then(({ViewManager}) => {
      const manager = ViewManager.ViewManager.instance();
      const key = [...manager.views.keys()].find((key) => key.startsWith('chrome-extension://'));
      if (key) manager.showView(key);
      return Boolean(key);
    })`);
  // Directly after it opens, DevTools has no views yet.
  await vi.waitUntil(() => isShown().catch(() => false), { timeout: hangLimitMs });
  const find = () => devtools.frames().find((each) => each.url().endsWith('/panel.html'));
  await vi.waitUntil(find, { timeout: hangLimitMs });
  const found = find();
  if (!found) throw new Error('the panel has no frame');
  await found.waitForSelector('body[data-ready]');
  return found;
}

/** Reloads the page and waits until the panel shows the complete new load. */
async function reloaded(): Promise<void> {
  const previous = await frame.evaluate("document.querySelector('.load-list select')?.value");
  await page.reload({ waitUntil: 'load' });
  await expect
    .poll(() => frame.evaluate("document.querySelector('.load-list select')?.value"), {
      timeout: hangLimitMs,
    })
    .not.toBe(previous);
  await expect.poll(names, { timeout: hangLimitMs }).toEqual(expect.arrayContaining(expected));
}

const expected = ['main.js', ...Array.from({ length: images }, (_, index) => `${index}.svg`)];
const names = (): Promise<string[]> =>
  frame.$$eval('.row .name', (found) => found.map((each) => each.textContent?.trim() ?? ''));
/** The source of each row, by name. */
const sources = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    await frame.$$eval('.row', (found) =>
      found.map((row) => [
        row.querySelector('.name')?.textContent?.trim() ?? '',
        row.querySelector('.source')?.textContent?.trim() ?? '',
      ]),
    ),
  );
/** A click by script: screenshots of DevTools shift the position of pointer clicks. */
const click = async (selector: string): Promise<void> => {
  await frame.waitForSelector(selector);
  await frame.evaluate(`document.querySelector('${selector}').click()`);
};
const text = (selector: string): Promise<string> =>
  frame.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' ').trim());

test('a reload shows every resource, in agreement with the origin’s log', async () => {
  requests.length = 0;
  await reloaded();
  expect(await text('[role=status]')).toMatch(/requests .* transferred .* from cache/);
  const disagreeing = async () => {
    const found = await sources();
    return expected.filter((name) => {
      const isFromNetwork = requests.includes(`/${name}`);
      return !(isFromNetwork ? /^network$/ : /^\((memory|disk) cache/).test(found[name] ?? '');
    });
  };
  // The previous load is shown until the new one has its first rows.
  await expect.poll(disagreeing, { timeout: hangLimitMs }).toEqual([]);
});

test('the drawer shows headers, history and the size with plain Brotli', async () => {
  await frame.evaluate(`[...document.querySelectorAll('.row .name')]
    .find((name) => name.textContent.includes('main.js')).click()`);
  await frame.waitForSelector('.drawer');
  await click('#tab-headers');
  // DevTools reports a request a moment after the page.
  await expect.poll(() => text('.drawer-body'), { timeout: hangLimitMs }).toContain('max-age=3600');
  await click('#tab-history');
  await frame.waitForSelector('.history tbody tr');
  await click('#tab-cost');
  await click('.drawer-body button');
  await frame.waitForFunction("document.querySelectorAll('.costs tbody tr').length === 3");
  expect(await text('.costs')).toMatch(/As served \(br\).*quality 5.*quality 11/);
  await click('.drawer-head .icon-button');
});

/** The cost is shown beside the switch once the page is watched at that depth. */
async function chooseDepth(depth: 'page' | 'debugger'): Promise<void> {
  await frame.select('.depth select', depth);
  await expect
    .poll(() => text('.depth .cost'), { timeout: hangLimitMs })
    .toBe(costRange(depthCosts[depth]));
}

/** Records the messages to the service worker. Returns the kinds of message so far. */
async function noteMessages(): Promise<() => Promise<unknown>> {
  await worker.evaluate(`globalThis.told = [];
    chrome.runtime.onMessage.addListener(({ type }) => { told.push(type); });`);
  return () => worker.evaluate('told');
}

test('at debugger depth no source is unknown', async () => {
  await chooseDepth('debugger');
  await reloaded();
  // The panel shows the page's records before the debugger's records arrive.
  const unknown = async () =>
    Object.values(await sources()).filter((source) => source.includes('unknown'));
  await expect.poll(unknown, { timeout: hangLimitMs }).toEqual([]);
  await chooseDepth('page');
});

test('where the debugger is attached, the menu of a row blocks its URL and clears the cache', async () => {
  const entries = () =>
    frame.$$eval('#row-menu button', (found) => found.map((each) => each.textContent?.trim()));
  const openMenu = () =>
    frame.evaluate(`[...document.querySelectorAll('.row')]
      .find((row) => row.textContent.includes('main.js'))
      .dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))`);
  const choose = async (entry: string): Promise<void> => {
    await openMenu();
    await expect.poll(entries, { timeout: hangLimitMs }).toContain(entry);
    await frame.evaluate(`[...document.querySelectorAll('#row-menu button')]
      .find((button) => button.textContent.trim() === '${entry}').click()`);
  };
  const sourceOfScript = async () => (await sources())['main.js'];
  await openMenu();
  expect(await entries()).not.toContain('Clear browser cache');
  await chooseDepth('debugger');
  await reloaded();
  requests.length = 0;
  await choose('Block request URL');
  await expect.poll(() => text('[role=status]'), { timeout: hangLimitMs }).toContain('is blocked');
  await reloaded();
  await expect.poll(sourceOfScript, { timeout: hangLimitMs }).toMatch(/blocked|failed/);
  await choose('Unblock request URL');
  await expect.poll(() => text('[role=status]'), { timeout: hangLimitMs }).toContain('no longer');
  await choose('Clear browser cache');
  await expect.poll(() => text('[role=status]'), { timeout: hangLimitMs }).toContain('Cleared');
  expect(requests).not.toContain('/main.js');
  await reloaded();
  await expect.poll(sourceOfScript, { timeout: hangLimitMs }).toBe('network');
  expect(requests).toContain('/main.js');
  await chooseDepth('page');
});

test('Ctrl+F and Esc act once: in the panel, not in DevTools too', async () => {
  const ofDevTools = (what: string): Promise<unknown> =>
    devtools.evaluate(
      `import('./ui/legacy/legacy.js').then(({ InspectorView }) => InspectorView.InspectorView.instance().${what})`,
    );
  const hasSearchBar = `(() => {
    const isShown = (bar) => bar.getClientRects().length > 0;
    const within = (root) => [...root.querySelectorAll('.search-bar')].some(isShown)
      || [...root.querySelectorAll('*')].some((each) => each.shadowRoot && within(each.shadowRoot));
    return within(document);
  })()`;
  const filter = () => frame.evaluate('document.querySelector("#filter:focus")?.value');
  // DevTools' page must be in front, and the panel's frame must have its focus, or the keys are DevTools' own.
  await devtools.bringToFront();
  const isFocused = async () => {
    await frame.focus('.row');
    return frame.evaluate("document.hasFocus() && document.activeElement.matches('.row')");
  };
  await expect.poll(isFocused, { timeout: hangLimitMs }).toBe(true);
  await devtools.keyboard.down('Control');
  await devtools.keyboard.press('f');
  await devtools.keyboard.up('Control');
  await expect.poll(filter, { timeout: hangLimitMs }).toBe('');
  await devtools.keyboard.type('svg');
  await expect.poll(filter, { timeout: hangLimitMs }).toBe('svg');
  await devtools.keyboard.press('Escape');
  await expect.poll(filter, { timeout: hangLimitMs }).toBe('');
  expect(await devtools.evaluate(hasSearchBar)).toBe(false);
  expect(await ofDevTools('drawerVisible()')).toBe(false);
  // DevTools' own search, from another part of its window.
  await ofDevTools("currentPanelDeprecated().performSearch({ query: 'main' }, true)");
  const text = () => frame.evaluate('document.querySelector("#filter").value');
  await expect.poll(text, { timeout: hangLimitMs }).toBe('main');
  await ofDevTools('currentPanelDeprecated().onSearchCanceled()');
  await expect.poll(text, { timeout: hangLimitMs }).toBe('');
});

test('recording can be stopped and started again', async () => {
  const record = '.toolbar .icon-button[aria-pressed]';
  const isRecording = () => frame.$eval(record, (found) => found.getAttribute('aria-pressed'));
  const listed = () =>
    frame.$$eval('.load-list option', (found) => found.map(({ value }) => value));
  const stored = () =>
    worker.evaluate('cachescope.loads().then((heads) => heads.map(({ id }) => id))');
  const shown = () => frame.$eval('.load-list select', (found) => found.value);
  await click(record);
  await expect.poll(isRecording, { timeout: hangLimitMs }).toBe('false');
  const before = { shown: await shown(), listed: await listed(), stored: await stored() };
  const told = await noteMessages();
  await page.reload({ waitUntil: 'load' });
  // The page and DevTools have both sent their records of the load.
  await expect
    .poll(told, { timeout: hangLimitMs })
    .toEqual(expect.arrayContaining(['is-watched', 'devtools-batch']));
  expect({ shown: await shown(), listed: await listed(), stored: await stored() }).toEqual(before);
  await click(record);
  await expect.poll(isRecording, { timeout: hangLimitMs }).toBe('true');
  await reloaded();
});

test('the export has the times, priorities and initiators of DevTools, which opens it with every row', async () => {
  await reloaded();
  await hasNetworkLog(devtools);
  const id = await frame.$eval('.load-list select', (found) => found.value);
  const exported = async (): Promise<Har> =>
    harOf([(await worker.evaluate(`cachescope.load(${JSON.stringify(id)})`)) as Load], '0.1.0');
  // DevTools reports the requests a moment after the page.
  const untold = async () =>
    (await exported()).log.entries.filter(({ _priority, _initiator }) => !_priority || !_initiator);
  await expect.poll(untold, { timeout: hangLimitMs }).toEqual([]);
  const har = await exported();
  expect(harProblems(har)).toEqual([]);
  const { log } = JSON.parse(await harOfDevTools(devtools)) as Har;
  const theirs = new Map(log.entries.map((entry) => [entry.request.url, entry]));
  expect(har.log.entries.length).toBeGreaterThan(images);
  for (const { request, _priority, _initiator } of har.log.entries) {
    const entry = theirs.get(request.url);
    expect(_priority).toBe(entry?._priority);
    const { type } = (entry?._initiator ?? {}) as { type?: string };
    expect(_initiator).toMatchObject({ type });
  }

  // A navigation entry lasts until the load event; its document has arrived earlier.
  const navigation = (await page.evaluate(
    "performance.getEntriesByType('navigation')[0].toJSON()",
  )) as { responseEnd: number; duration: number };
  const time = har.log.entries.find(({ request }) => request.url === `${origin}/`)?.time ?? 0;
  // The clocks of DevTools and of the page start some ms apart.
  const { responseEnd, duration } = navigation;
  expect(Math.abs(time - responseEnd)).toBeLessThan(Math.abs(time - duration));

  await emptyNetworkLog(devtools);
  const rows = await rowsOfImport(devtools, JSON.stringify(har));
  const urls = har.log.entries.map(({ request }) => request.url);
  expect(rows.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
});
