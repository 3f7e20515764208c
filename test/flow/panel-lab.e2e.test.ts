import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LabState } from '@cachescope/model/explore/lab.ts';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';

const token = 'a-token-of-this-run';
const idle: LabState = {
  delayMs: 5,
  measuredDelayMs: 5.4,
  backEnd: 'nbd-delay',
  isLive: false,
  cacheBytes: 2 * 1024 ** 2,
  canDropPageCache: true,
  busyWith: null,
  lastProblem: null,
  savedLoads: 3,
};

let server: Server;
let panel: PanelBrowser;
let page: Page;
/** Requests to the lab, in order, without the requests for its state. */
let asked: { path: string; body: string }[];
let state: LabState;
/** The lab reports its state only after this promise settles. */
let mayTell: Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    void reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  panel = await panelBrowser();
});

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, value } = await answer(request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A lab with the answers and errors of the harness. */
async function answer(request: IncomingMessage): Promise<{ status: number; value: unknown }> {
  const path = request.url ?? '';
  if (request.headers.authorization !== `Bearer ${token}`) {
    return { status: 401, value: { code: 'CS_ORIGIN_TOKEN', message: 'The token is wrong.' } };
  }
  if (request.method === 'GET') {
    await mayTell;
    return { status: 200, value: state };
  }
  asked.push({ path, body: (await request.toArray()).join('') });
  if (path.endsWith('/clear-http-cache')) {
    return { status: 409, value: { code: 'CS_LAB_BUSY', message: 'The lab is busy.' } };
  }
  return { status: 202, value: { willRestart: path.endsWith('/delay'), state } };
}

afterAll(async () => {
  await panel?.close();
  server?.closeAllConnections();
  server?.close();
});

beforeEach(async () => {
  asked = [];
  state = idle;
  mayTell = Promise.resolve();
  page = await panel.newPage();
  await page.setViewport({ width: 1200, height: 600 });
  await page.goto(panel.panelUrl);
});

afterEach(async () => {
  await page.close();
});

async function connect(): Promise<void> {
  const link = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token };
  await page.evaluate(`chrome.storage.session.set({lab: ${JSON.stringify(link)}})`);
  await page.reload();
  await page.waitForSelector('.lab');
}

const text = (selector: string): Promise<string> =>
  page.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' ').trim());
const press = (name: string): Promise<void> =>
  page.locator(`.lab button ::-p-text(${name})`).click();

test('without a lab the panel has no lab controls', async () => {
  await page.waitForSelector('main .empty');
  expect(await page.$('.lab')).toBeNull();
});

test('the panel shows the lab’s state, and says that a change of a delay that is not live restarts the browser', async () => {
  await connect();
  expect(await text('.lab')).toMatch(/nbd-delay, measured 5\.4 ms; the browser restarts/);
  expect(await text('.lab-facts')).toBe('Cache 2 MiB · 3 loads saved');
  expect(await page.$eval('.lab input', (input) => input.value)).toBe('5');
});

test('the delay is set, with the token', async () => {
  await connect();
  const { promise, resolve: tell } = Promise.withResolvers<void>();
  mayTell = promise;
  await page.locator('.lab input').fill('20');
  await press('Set and restart');
  await expect
    .poll(() => asked, { timeout: hangLimitMs })
    .toEqual([{ path: '/control/lab/delay', body: '{"delayMs":20}' }]);
  await page.waitForFunction(
    "document.querySelector('.busy')?.textContent.includes('restarts and restores its tabs')",
  );
  tell();
  await page.waitForFunction("document.querySelector('.busy') === null");
});

test('an error of the lab is shown in its own words', async () => {
  await connect();
  await press('Drop page cache');
  await expect
    .poll(() => asked.map(({ path }) => path), { timeout: hangLimitMs })
    .toEqual(['/control/lab/drop-page-cache']);
  await press('Clear HTTP cache');
  await page.waitForSelector('.lab-problem');
  expect(await text('.lab-problem')).toBe('The lab is busy.');
});

test('controls that need root and a slow disk are not offered without them', async () => {
  state = {
    ...idle,
    backEnd: 'none',
    delayMs: null,
    measuredDelayMs: null,
    canDropPageCache: false,
  };
  await connect();
  expect(await text('.lab')).toContain('no slow disk');
  const drop = '.lab button[title^="Needs root"]';
  expect(await page.$eval(drop, (button) => button.matches(':disabled'))).toBe(true);
});
