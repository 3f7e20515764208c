import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EvidenceDepth } from '@cachescope/model/evidence.ts';
import type { Load } from '@cachescope/model/load.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findChromium } from '../harness/browser/find.ts';
import { type LaunchedBrowser, launchBrowser } from '../harness/browser/launch.ts';
import { grantedExtension } from './granted-extension.ts';
import { evaluateInServiceWorker, stopServiceWorker } from './service-worker.ts';

/** A load of 5,000 resources: 2,000 in the page, 1,000 in each of two frames, 1,000 in a worker. */
const inPage = 2000;
const inFrame = 1000;
const inWorker = 1000;
/** One in so many of them is read. */
let share = 1;
/** 21,000 reads take half a minute on an idle machine, and several times that beside other tests, ms. */
const doneLimitMs = 180_000;

const readAll = `
  async function readAll(prefix, count) {
    for (let next = 0; next < count; next += 50) {
      const urls = Array.from({ length: Math.min(50, count - next) }, (_, index) => prefix + (next + index));
      await Promise.all(urls.map((url) => fetch(url).then((response) => response.arrayBuffer())));
    }
  }`;

const pages = (): Readonly<Record<string, string>> => ({
  '/empty': '',
  '/frame-a': `<script>${readAll} readAll('/item/a', ${inFrame / share}).then(() => parent.postMessage('done'));</script>`,
  '/frame-b': `<script>${readAll} readAll('/item/b', ${inFrame / share}).then(() => parent.postMessage('done'));</script>`,
  '/many': `
    <iframe src="/frame-a"></iframe><iframe src="/frame-b"></iframe>
    <script>${readAll}
      let left = 4;
      const done = () => --left === 0 && fetch('/done', { method: 'POST' });
      addEventListener('message', done);
      new Worker('/worker.js').onmessage = done;
      readAll('/item/p', ${inPage / share}).then(done);
    </script>`,
  '/hostile': `
    <script>
      performance.getEntriesByType = performance.getEntries = () => [];
      performance.clearResourceTimings();
      performance.setResourceTimingBufferSize(1);
      globalThis.PerformanceObserver = class { observe() {} disconnect() {} };
      Object.defineProperty(globalThis, 'performance', { value: { now: () => 0, timeOrigin: 0 } });
      Promise.all(['/item/x1', '/item/x2', '/item/x3'].map((url) => fetch(url).then((each) => each.text())))
        .then(() => fetch('/done', { method: 'POST' }));
    </script>`,
  '/flood': `
    <script>
      const blob = URL.createObjectURL(new Blob(['x']));
      (async () => {
        for (let round = 0; round < 210; round++)
          await Promise.all(Array.from({ length: 100 }, () => fetch('/cached').then((each) => each.arrayBuffer())));
        await fetch('/done', { method: 'POST' });
      })();
    </script>`,
});

const worker = () =>
  `${readAll} readAll('/item/w', ${inWorker / share}).then(() => postMessage('done'));`;

let server: Server;
let origin: string;
let profile: string;
let launched: LaunchedBrowser;
/** Paths of the requests that reached the server. */
const requests: string[] = [];

function answer(path: string, response: ServerResponse): void {
  const body = pages()[path.split('?')[0] ?? ''];
  if (body !== undefined) {
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
    response.end(`<!doctype html><link rel="icon" href="data:,">${body}`);
  } else if (path === '/worker.js') {
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' });
    response.end(worker());
  } else {
    const policy = path === '/cached' ? 'max-age=3600' : 'no-store';
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': policy });
    response.end(`body of ${path}`);
  }
}

vi.setConfig({ testTimeout: 2 * doneLimitMs });

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  profile = await mkdtemp(join(tmpdir(), 'cachescope-collection-'));
  launched = await launchBrowser({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    extensionDirectory: await grantedExtension(profile),
    profileDirectory: join(profile, 'profile'),
    cacheDirectory: join(profile, 'cache'),
    headful: false,
  });
});

afterAll(async () => {
  await launched?.close();
  server?.closeAllConnections();
  server?.close();
  if (profile) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Loads a page in a watched tab; `meanwhile` runs while it loads. */
async function loadWatched(
  path: string,
  depth: EvidenceDepth,
  meanwhile?: () => Promise<void>,
): Promise<Load> {
  const { instrument } = launched;
  const { tabId } = await instrument.open(`${origin}/empty?${depth}`);
  await instrument.watch(tabId, depth);
  requests.length = 0;
  await tell(`chrome.tabs.update(${tabId}, { url: '${origin}${path}' })`);
  await meanwhile?.();
  await until(() => requests.includes('/done'), doneLimitMs);
  const load = await settled(path);
  await instrument.unwatch(tabId);
  await instrument.close(tabId);
  return load;
}

/** The load when nothing has been added to it for two seconds. */
async function settled(path: string): Promise<Load> {
  let before = -1;
  for (const end = Date.now() + 90_000; Date.now() < end; await sleep(2000)) {
    const heads = await launched.instrument.loads();
    const head = heads.find(({ url }) => url === origin + path);
    if (head && head.resourceCount === before) return launched.instrument.load(head.id);
    before = head?.resourceCount ?? -1;
  }
  throw new Error(`the load of ${path} did not settle`);
}

async function until(isTrue: () => boolean, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`nothing came of it within ${limitMs} ms`);
    await sleep(20);
  }
}

function tell(code: string): Promise<unknown> {
  return evaluateInServiceWorker(launched.browser, code);
}

/** Of the service worker, which may stop, and start anew, while it is asked. */
async function answerOf(code: string): Promise<unknown> {
  for (const end = Date.now() + 30_000; ; await sleep(500)) {
    const answer = await tell(code).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in answer) return answer.value;
    if (Date.now() > end) throw answer.error;
  }
}

/** Paths of the resources of one kind, sorted. */
function items(paths: readonly string[], letters: string): string[] {
  const wanted = new RegExp(`^/item/[${letters}]\\d+$`);
  return paths.filter((path) => wanted.test(path)).toSorted();
}

const pathsOf = ({ resources }: Load) => resources.map(({ url }) => new URL(url).pathname);

test('page depth sees every one of 4,000 resources of a document and its frames, and none twice', async () => {
  const load = await loadWatched('/many', 'page');
  const seen = items(pathsOf(load), 'pab');
  expect(seen).toEqual(items(requests, 'pab'));
  expect(seen).toHaveLength(inPage + 2 * inFrame);
  expect(load.warnings).toEqual([]);
  const inFrames = load.resources.filter(({ context }) => context === 'frame');
  // Each frame's document is one of its resources.
  expect(inFrames).toHaveLength(2 * (inFrame + 1));
});

test.each([
  ['debugger', 1],
  ['webRequest', 5],
] as const)(
  'depth %s sees all of 5,000 / %i, those of the worker too, each joined with what the page saw',
  async (depth, oneIn) => {
    share = oneIn;
    const load = await loadWatched(`/many?${depth}`, depth);
    share = 1;
    const seen = items(pathsOf(load), 'pabw');
    expect(seen).toEqual(items(requests, 'pabw'));
    expect(seen).toHaveLength((inPage + 2 * inFrame + inWorker) / oneIn);
    const ofPage = load.resources.filter(({ url }) => /\/item\/[pab]\d+$/.test(url));
    expect(ofPage.filter(({ evidence }) => evidence.page && evidence[depth])).toHaveLength(
      (inPage + 2 * inFrame) / oneIn,
    );
  },
);

test('a page that replaces performance and PerformanceObserver hides nothing', async () => {
  const load = await loadWatched('/hostile', 'page');
  expect(items(pathsOf(load), 'x')).toEqual(['/item/x1', '/item/x2', '/item/x3']);
});

test('21,000 reads of one URL are kept, beyond the 20,000 that the browser buffers', async () => {
  const load = await loadWatched('/flood', 'page');
  const kept = pathsOf(load).filter((path) => path === '/cached');
  expect(kept).toHaveLength(21_000);
  expect(requests.filter((path) => path === '/cached')).toHaveLength(1);
});

test('a service worker that is stopped midway loses nothing', async () => {
  const { instrument } = launched;
  const { tabId } = await instrument.open(`${origin}/empty?stop`);
  await instrument.watch(tabId, 'page');
  requests.length = 0;
  await tell(`chrome.tabs.update(${tabId}, { url: '${origin}/many?stop' })`);
  await until(() => requests.length > 1000, doneLimitMs);
  await stopServiceWorker(launched.browser);
  await until(() => requests.includes('/done'), doneLimitMs);
  // The next batch of the page starts it again, and the last comes when the page has the time.
  const newest = async () =>
    (await answerOf(`
      cachescope.loads().then((heads) => cachescope.load(heads[0].id))
    `)) as Load;
  const seen = async () => items(pathsOf(await newest()), 'pab');
  const asked = items(requests, 'pab');
  expect(asked).toHaveLength(inPage + 2 * inFrame);
  await expect.poll(seen, { interval: 1000, timeout: 60_000 }).toEqual(asked);
  expect((await newest()).url).toBe(`${origin}/many?stop`);
});
