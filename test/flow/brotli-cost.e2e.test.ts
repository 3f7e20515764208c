import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import type { Page } from 'puppeteer-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';

const extension = join(import.meta.dirname, '../../extension');

let directory: string;
let panel: PanelBrowser;
let page: Page;

/** A one-page extension that exposes `brotliCosts`, under the product's own content security policy. */
async function buildProbe(outDir: string): Promise<void> {
  const root = join(directory, 'source');
  for (const name of ['brotli-cost.ts', 'brotli-worker.ts'])
    await cp(join(extension, 'panel/drawer', name), join(root, 'panel', name));
  await cp(join(extension, 'node_modules/brotli-wasm'), join(root, 'node_modules/brotli-wasm'), {
    recursive: true,
    dereference: true,
  });
  await writeFile(join(root, 'probe.html'), '<script type="module" src="probe.ts"></script>');
  await writeFile(
    join(root, 'probe.ts'),
    `import { brotliCosts } from './panel/brotli-cost.ts'; globalThis.brotliCosts = brotliCosts;`,
  );
  await writeFile(join(root, 'background.js'), '');
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    build: {
      outDir,
      target: 'chrome130',
      modulePreload: false,
      rolldownOptions: { input: join(root, 'probe.html') },
    },
  });
  const manifest: unknown = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8'));
  const { content_security_policy } = manifest as { content_security_policy: unknown };
  await writeFile(join(outDir, 'worker.js'), '');
  await writeFile(
    join(outDir, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name: 'probe',
      version: '1',
      background: { service_worker: 'worker.js' },
      content_security_policy,
    }),
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-brotli-'));
  const built = join(directory, 'built');
  await buildProbe(built);
  panel = await panelBrowser(built);
  page = await panel.newPage();
  await page.goto(new URL('probe.html', panel.panelUrl).href);
  await page.waitForFunction('typeof globalThis.brotliCosts === "function"');
});

afterAll(async () => {
  await panel?.close();
  await rm(directory, { recursive: true, force: true });
});

interface Cost {
  quality: number;
  bytes: number;
  compressMs: number;
}

/** Sizes as the product computes them in Chromium. */
async function costsOf(body: Buffer): Promise<Cost[]> {
  const base64 = body.toString('base64');
  return page.evaluate(`brotliCosts(Uint8Array.fromBase64(${JSON.stringify(base64)}))`) as Promise<
    Cost[]
  >;
}

/** The reference encoder with the same quality and window, without a size hint. */
function referenceBytes(body: Buffer, quality: number): number {
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 22,
      [constants.BROTLI_PARAM_SIZE_HINT]: 1,
    },
  }).length;
}

const bodies: [name: string, body: () => Promise<Buffer>][] = [
  ['nothing', async () => Buffer.alloc(0)],
  ['a line', async () => Buffer.from('the cache\n')],
  ['zeros', async () => Buffer.alloc(300_000)],
  ['what does not compress', async () => readFile(join(extension, 'public/icons/icon-128.png'))],
  ['a lock file', async () => readFile(join(extension, '../pnpm-lock.yaml'))],
  ['a made-up script', async () => Buffer.from((await findWorkload('synthetic:1MiB')).resource)],
];

test.each(bodies)('%s: the size equals that of the reference encoder', async (_, load) => {
  const body = await load();
  const costs = await costsOf(body);
  expect(costs.map(({ quality }) => quality)).toEqual([5, 11]);
  for (const { quality, bytes, compressMs } of costs) {
    const reference = referenceBytes(body, quality);
    const tolerance = quality === 5 ? 0.0001 : 0.005;
    expect(Math.abs(bytes - reference)).toBeLessThanOrEqual(Math.max(2, tolerance * reference));
    expect(compressMs).toBeGreaterThanOrEqual(0);
  }
});

test('a body that is too large is rejected with a message, and no worker starts', async () => {
  const refused = page.evaluate('brotliCosts(new Uint8Array(33 * 1024 ** 2))');
  await expect(refused).rejects.toThrow(/33\.0 MiB; .* at most 32 MiB.*CS_BODY_TOO_LARGE/);
  expect(page.workers()).toEqual([]);
});

test('a computation can be cancelled midway and leaves no worker', async () => {
  // The first result, of quality 5, has arrived; quality 11 takes seconds more. A cancelled computation ends before any
  // later task.
  const ended = page.evaluate(`(async () => {
    const workers = [];
    globalThis.Worker = class extends Worker {
      constructor(...words) {
        super(...words);
        workers.push(this);
      }
    };
    const body = new Uint8Array(4 * 1024 ** 2).map((_, at) => (at * at) >> 7);
    const controller = new AbortController();
    const costs = brotliCosts(body, controller.signal).then(() => 'done', ({ name }) => name);
    await new Promise((resolve) => workers[0].addEventListener('message', resolve, { once: true }));
    controller.abort();
    return Promise.race([costs, new Promise((resolve) => setTimeout(resolve, 0, 'goes on'))]);
  })()`);
  expect(await ended).toBe('AbortError');
  // Chromium terminates a computing worker only after a delay.
  await expect.poll(() => page.workers().length, { timeout: hangLimitMs }).toBe(0);
});
