import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load } from '@cachescope/model/load/load.ts';
import { type Browser, type Page, type Target, TargetType, type WebWorker } from 'puppeteer-core';
import { builtExtension } from './extension-build.ts';
import { findChromium } from './find.ts';
import { closeBrowser } from './browser-exit.ts';
import { startIn } from './start.ts';

/** A Chromium with an extension, for tests of its pages. It has no time limits; the caller sets them. */
export interface PanelBrowser {
  browser: Browser;
  panelUrl: string;
  /** For files of the test; removed when the browser is closed. */
  directory: string;
  /**
   * The extension's service worker. Call this at the start: the worker may be stopped before the call, and not after
   * it.
   */
  serviceWorker(): Promise<WebWorker>;
  /** Opens a tab. */
  newPage(): Promise<Page>;
  /** Opens DevTools on a tab. */
  openDevTools(page: Page): Promise<Page>;
  close(): Promise<void>;
}

/** Puppeteer's value for no time limit, ms: on a busy machine any limit is too short at times. */
const unlimitedMs = 0;

/** Starts Chromium with an extension. Default: ours, which is built when its sources have changed. */
export async function panelBrowser(extension?: string): Promise<PanelBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-panel-'));
  const executablePath = (await findChromium(undefined))?.path ?? 'chromium';
  const browser = await startIn(directory, executablePath, [], {
    enableExtensions: [extension ?? (await builtExtension())],
    timeout: unlimitedMs,
    protocolTimeout: unlimitedMs,
  });
  const worker = await browser.waitForTarget(
    (target) =>
      target.type() === TargetType.SERVICE_WORKER && target.url().startsWith('chrome-extension://'),
    { timeout: unlimitedMs },
  );
  const unlimited = (page: Page): Page => {
    page.setDefaultTimeout(unlimitedMs);
    return page;
  };
  return {
    browser,
    panelUrl: new URL('panel.html', worker.url()).href,
    directory,
    serviceWorker: async () => {
      const found = await worker.worker();
      if (!found) throw new Error('the extension has no service worker');
      return found;
    },
    newPage: async () => unlimited(await browser.newPage()),
    openDevTools: async (page) => unlimited(await devToolsOf(browser, page)),
    close: async () => {
      await closeBrowser(browser);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Does the same as Puppeteer's own `openDevTools`, which gives up after 30 s. */
async function devToolsOf(browser: Browser, page: Page): Promise<Page> {
  const root = await browser.target().createCDPSession();
  const session = await page.createCDPSession();
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await root.send('Target.openDevTools', { targetId: targetInfo.targetId });
  const isDevTools = (target: Target): boolean => target.url().startsWith('devtools://');
  const target = await browser.waitForTarget(isDevTools, { timeout: unlimitedMs });
  return target.asPage();
}

/** Opens loads in a panel, as a user does by choosing a file, and waits for the grid. */
export async function chooseLoads(
  page: Page,
  directory: string,
  ...loads: readonly Load[]
): Promise<void> {
  const path = join(directory, `${loads[0]?.id}.json`);
  await writeFile(path, JSON.stringify({ schemaVersion: 1, loads }));
  const input = await page.waitForSelector('input#run-files');
  await input?.uploadFile(path);
  await page.waitForSelector('[role=grid] .row');
}
