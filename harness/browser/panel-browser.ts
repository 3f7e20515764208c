import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Load } from '@cachescope/model/load.ts';
import { type Browser, launch, type Page, TargetType } from 'puppeteer-core';
import { builtExtension } from '../harness/browser/extension-build.ts';
import { findChromium } from '../harness/browser/find.ts';
import { chromiumFlags } from '../harness/browser/flags.ts';

/** A Chromium with the built extension, for looking at the panel. */
export interface PanelBrowser {
  browser: Browser;
  panelUrl: string;
  /** For files of the test; gone when the browser is closed. */
  directory: string;
  close(): Promise<void>;
}

/** Builds the extension when its sources changed, and starts Chromium with it. */
export async function panelBrowser(): Promise<PanelBrowser> {
  const extension = await builtExtension();
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-panel-'));
  const asRoot = process.getuid?.() === 0;
  const browser = await launch({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    userDataDir: join(directory, 'profile'),
    pipe: true,
    enableExtensions: [extension],
    args: chromiumFlags({ cacheDirectory: join(directory, 'cache') }, asRoot),
  });
  const worker = await browser.waitForTarget(
    (target) =>
      target.type() === TargetType.SERVICE_WORKER && target.url().startsWith('chrome-extension://'),
  );
  return {
    browser,
    panelUrl: new URL('panel.html', worker.url()).href,
    directory,
    close: async () => {
      await browser.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Opens loads in a panel as a user does who chooses a file, and waits for the grid. */
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
