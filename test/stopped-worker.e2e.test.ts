import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attribute } from '@cachescope/model/cache-source.ts';
import type { Load } from '@cachescope/model/load.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../harness/browser/find.ts';
import { type LaunchedBrowser, launchBrowser } from '../harness/browser/launch.ts';
import { grantedExtension } from './granted-extension.ts';
import { evaluateInServiceWorker, stopServiceWorker } from './service-worker.ts';

const reads = 200;
/** Ten at a time with a pause between: the load takes about 0.8 s, so that each stop falls into it. */
const page = `<!doctype html><link rel="icon" href="data:,"><script>
  (async () => {
    for (let next = 0; next < ${reads}; next += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) =>
        fetch('/item/' + (next + index)).then((response) => response.arrayBuffer())));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await fetch('/done', { method: 'POST' });
  })();
</script>`;

let server: Server;
let origin: string;
let profile: string;
let launched: LaunchedBrowser;
/** Settles when the page has read all. */
let done = Promise.withResolvers<void>();

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    if (url === '/done') done.resolve();
    const isPage = url.startsWith('/page') || url.startsWith('/empty');
    response.writeHead(200, {
      'content-type': isPage ? 'text/html' : 'text/plain',
      'cache-control': 'no-store',
    });
    response.end(url.startsWith('/page') ? page : 'body');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  profile = await mkdtemp(join(tmpdir(), 'cachescope-stopped-'));
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

function tell<Answer>(code: string): Promise<Answer> {
  return evaluateInServiceWorker(launched.browser, code);
}

async function settled(path: string): Promise<Load> {
  const end = Date.now() + 60_000;
  for (let before = -1; Date.now() < end; await sleep(700)) {
    const load = await tell<Load | null>(`cachescope.loads().then((heads) => {
      const head = heads.find(({ url }) => url === '${origin}${path}');
      return head ? cachescope.load(head.id) : null;
    })`).catch(() => null);
    if (load && load.resources.length > reads && load.resources.length === before) return load;
    before = load?.resources.length ?? -1;
  }
  throw new Error(`the load of ${path} did not settle`);
}

const cases = (['page', 'webRequest', 'debugger'] as const).flatMap((depth) =>
  [60, 300, 700].map((atMs) => ({ depth, atMs })),
);

test.each(cases)(
  'at depth $depth a service worker stopped after $atMs ms loses no resource, and what no witness told is not made up',
  async ({ depth, atMs }) => {
    done = Promise.withResolvers<void>();
    const path = `/page?${depth}-${atMs}`;
    const tabId = await tell<number>(
      `globalThis.isFirst = true; cachescope.open('${origin}/empty?${depth}-${atMs}').then(({ tabId }) => cachescope.watch(tabId, '${depth}').then(() => tabId))`,
    );
    await tell(`chrome.tabs.update(${tabId}, { url: '${origin}${path}' })`);
    await sleep(atMs);
    await stopServiceWorker(launched.browser);
    await done.promise;
    const load = await settled(path);
    expect(await tell('globalThis.isFirst === true')).toBe(false);
    const items = load.resources.filter(({ url }) => url.includes('/item/'));
    expect(items.map(({ url }) => url).toSorted()).toEqual(
      Array.from({ length: reads }, (_, index) => `${origin}/item/${index}`).toSorted(),
    );
    const sources = new Set(items.map(({ evidence }) => attribute(evidence).source));
    expect([...sources].filter((source) => source !== 'network' && source !== 'unknown')).toEqual(
      [],
    );
    // "Saw nothing" would be false: every one of them went over the network.
    if (depth !== 'page')
      expect(items.filter(({ evidence }) => evidence[depth] === null)).toEqual([]);
    const untold = depth === 'page' ? [] : items.filter(({ evidence }) => !evidence[depth]);
    if (untold.length > 0) expect(load.warnings.join(' ')).toContain(`${depth} did not watch`);
    await tell(`cachescope.unwatch(${tabId}).then(() => cachescope.close(${tabId}))`);
  },
  40_000,
);
