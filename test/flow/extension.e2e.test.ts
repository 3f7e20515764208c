import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Instrument } from '@cachescope/model/load/messages.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { type LaunchedBrowser, launchBrowser } from '../../harness/browser/launch.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { evaluateInServiceWorker } from '../service-worker.ts';

const body = Buffer.from('a resource that is read back from the cache\n'.repeat(5000));
const encoded = brotliCompressSync(body);

/** Paths of the requests that reached the origin, in order. */
const requests: string[] = [];
let server: Server;
let origin: string;
let directory: string;
let launched: LaunchedBrowser;
let instrument: Instrument;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    if (path.startsWith('/page')) {
      response.writeHead(200, {
        'content-type': 'text/html',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      });
      response.end('<!doctype html><link rel="icon" href="data:,"><p>page</p>');
      return;
    }
    if (path.startsWith('/hostile')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(hostilePage);
      return;
    }
    if (path.startsWith('/opening')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(openingPage);
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/plain',
      'content-encoding': 'br',
      'cache-control': path.startsWith('/fresh') ? 'max-age=3600' : 'no-store',
    });
    response.end(encoded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  directory = await mkdtemp(join(tmpdir(), 'cachescope-extension-'));
  launched = await launchBrowser({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    extensionDirectory: await builtExtension(),
    profileDirectory: join(directory, 'profile'),
    cacheDirectory: join(directory, 'cache'),
    headful: false,
  });
  instrument = launched.instrument;
});

afterAll(async () => {
  await launched?.close();
  server?.closeAllConnections();
  server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Replaces the functions that a timed read would use, listens to all messages, and reports them to the origin. */
const hostilePage = `<!doctype html><link rel="icon" href="data:,"><script>
  const tell = window.fetch;
  const leaked = Object.keys(window).filter((name) => /cachescope/i.test(name)).length;
  performance.now = () => 42;
  window.fetch = async () => new Response('forged');
  Response.prototype.arrayBuffer = async () => new ArrayBuffer(1);
  window.PerformanceObserver = class { observe() {} disconnect() {} };
  crypto.subtle.digest = async () => new ArrayBuffer(32);
  let heard = 0;
  for (const type of ['message', 'cachescope-offer', 'cachescope-ask']) {
    addEventListener(type, (event) => { if (type !== 'cachescope-ask') heard++; });
  }
  dispatchEvent(new Event('cachescope-ask'));
  setInterval(() => tell('/heard?events=' + heard + '&globals=' + leaked), 20);
</script>`;

/** Opens a window of its own origin, takes the port of the extension there, and answers every message in its place. */
const openingPage = `<!doctype html><title>opening</title><link rel="icon" href="data:,"><script>
  const opened = open('javascript:""');
  opened.addEventListener('cachescope-offer', (event) => {
    if (event.isForged) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { id, question } }) => {
      const read = { url: question.request?.url, readMs: 0.001, status: 200, bodyBytes: 1,
        bodySha256: '', timing: null, hasServiceWorker: false };
      port1.postMessage({ id, result: { answer: read } });
    };
    const forged = new MessageEvent('cachescope-offer', { ports: [port2], cancelable: true });
    forged.isForged = true;
    opened.dispatchEvent(forged);
    fetch('/forged');
  });
</script>`;

function requestsFor(path: string): number {
  return requests.filter((candidate) => candidate === path).length;
}

test('a cross-origin isolated page has the fine clock, any other page the coarse one', async () => {
  const isolated = await instrument.open(`${origin}/page?clock`);
  expect(isolated).toMatchObject({
    url: `${origin}/page?clock`,
    crossOriginIsolated: true,
    timerStepMs: 0.005,
  });
  const ordinary = await instrument.open(`${origin}/hostile?clock`);
  expect(ordinary).toMatchObject({ crossOriginIsolated: false, timerStepMs: 0.1 });
  await instrument.close(isolated.tabId);
  await instrument.close(ordinary.tabId);
});

test('a first read comes from the network, later reads from disk, as the origin confirms', async () => {
  const { tabId } = await instrument.open(`${origin}/page`);
  const request = { url: `${origin}/fresh`, settleMs: 20 };
  const sources: string[] = [];
  const starts = new Set<number>();
  for (let count = 0; count < 4; count++) {
    const before = performance.now();
    const result = await instrument.read(tabId, request);
    const outside = performance.now() - before;
    expect(result).toMatchObject({
      url: request.url,
      status: 200,
      bodyBytes: body.length,
      bodySha256: createHash('sha256').update(body).digest('hex'),
      timing: {
        encodedBodySize: encoded.length,
        decodedBodySize: body.length,
        contentEncoding: 'br',
      },
    });
    expect(result.readMs).toBeGreaterThan(0);
    expect(result.readMs).toBeLessThan(outside - request.settleMs);
    expect(result.timing?.duration).toBeLessThanOrEqual(result.readMs + 0.01);
    sources.push(result.attribution.source);
    starts.add(result.timing?.startTime ?? -1);
  }
  expect(sources).toEqual(['network', 'disk', 'disk', 'disk']);
  // Each read was matched to its own Resource Timing entry.
  expect(starts.size).toBe(4);
  expect(requestsFor('/fresh')).toBe(1);
  await instrument.close(tabId);
});

test('a response that must not be stored comes from the network each time', async () => {
  const { tabId } = await instrument.open(`${origin}/page`);
  const request = { url: `${origin}/stale`, settleMs: 5 };
  const sources = [
    await instrument.read(tabId, request),
    await instrument.read(tabId, request),
  ].map(({ attribution }) => attribution.source);
  expect(sources).toEqual(['network', 'network']);
  expect(requestsFor('/stale')).toBe(2);
  await instrument.close(tabId);
});

test('a page with overridden functions is read correctly, and cannot observe the channel', async () => {
  const { tabId } = await instrument.open(`${origin}/hostile`);
  const result = await instrument.read(tabId, { url: `${origin}/fresh?hostile`, settleMs: 5 });
  expect(result).toMatchObject({ bodyBytes: body.length, attribution: { source: 'network' } });
  expect(result.bodySha256).toBe(createHash('sha256').update(body).digest('hex'));
  expect(result.readMs).toBeGreaterThan(0);
  await vi.waitUntil(() => requests.some((path) => path.startsWith('/heard')), {
    timeout: hangLimitMs,
  });
  const told = new Set(requests.filter((path) => path.startsWith('/heard')));
  expect([...told]).toEqual(['/heard?events=0&globals=0']);
  await instrument.close(tabId);
});

test('a window opened by the page cannot answer in place of the page, and its reads are not timed', async () => {
  const { tabId } = await instrument.open(`${origin}/opening`);
  await vi.waitUntil(() => requestsFor('/forged') > 0, { timeout: hangLimitMs });
  const query = 'chrome.tabs.query({}).then((tabs) => tabs.map(({ id, url }) => ({ id, url })))';
  const tabs = await evaluateInServiceWorker<{ id: number; url?: string }[]>(
    launched.browser,
    query,
  );
  // The extension has no permission for the window's site, so the window's URL is hidden.
  const opened = tabs.filter(({ id, url }) => id > tabId && !url);
  expect(opened).toHaveLength(1);
  const request = { url: `${origin}/fresh?opening`, settleMs: 0 };
  await expect(instrument.read(opened[0]?.id ?? 0, request)).rejects.toThrow(
    /the instrument has not opened this document/,
  );
  expect(await instrument.read(tabId, request)).toMatchObject({ bodyBytes: body.length });
  await instrument.close(opened[0]?.id ?? 0);
  await instrument.close(tabId);
});

test('a failed read reports the reason', async () => {
  const { tabId } = await instrument.open(`${origin}/page`);
  const failed = await instrument.read(tabId, { url: 'http://127.0.0.1:1/nothing', settleMs: 0 });
  expect(failed).toMatchObject({ status: 0, bodyBytes: 0, bodySha256: '' });
  expect(failed.failure).toMatch(/Failed to fetch/);
  expect(failed.attribution.source).toBe('unknown');
  await instrument.close(tabId);
  await expect(instrument.read(tabId, { url: `${origin}/fresh`, settleMs: 0 })).rejects.toThrow(
    /does not answer/,
  );
});

test('an unreachable page is refused at once', async () => {
  await expect(instrument.open('http://127.0.0.1:1/')).rejects.toThrow(/did not load/);
});

test('at installation only loopback hosts, extension storage and the debugger are permitted', async () => {
  const manifest = await evaluateInServiceWorker(launched.browser, 'chrome.runtime.getManifest()');
  const own = ['http://127.0.0.1/*', 'http://localhost/*', 'https://localhost/*'];
  expect(manifest).toMatchObject({
    manifest_version: 3,
    name: 'Cachescope',
    permissions: ['debugger', 'storage'],
    host_permissions: [...own, 'https://127.0.0.1/*'],
    optional_permissions: ['webRequest', 'scripting'],
  });
});
