import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadResult } from '@cachescope/model/load/messages.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { pagePath, resourcePath } from '@cachescope/origin/workloads/urls.ts';
import type { Browser, CDPSession } from 'puppeteer-core';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { launchBrowser } from '../../harness/browser/launch.ts';
import { browserSession } from '../../harness/browser/targets.ts';

/** Sizes of the resources to read. */
export const readSizes = ['1kb', '1mb'] as const;
export type ReadSize = (typeof readSizes)[number];

/** A browser with the resources in its cache, on ordinary storage. */
export interface TracedBrowser {
  browser: Browser;
  root: CDPSession;
  /** Performs a cached read, with or without marks for a trace. */
  read: (size: ReadSize, marks?: boolean) => Promise<ReadResult>;
}

/** Starts a browser and an origin for one task. */
export async function withTracedBrowser<Result>(
  work: (browser: TracedBrowser) => Promise<Result>,
): Promise<Result> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const names = readSizes.map((size) => `synthetic:${size}`);
  const workloads = await Promise.all(names.map(findWorkload));
  const origin = await startOrigin({ workloads });
  resources.defer(() => origin.close());
  const browser = await launchBrowser({
    executablePath: chromium.path,
    extensionDirectory: await builtExtension(),
    profileDirectory: join(directory, 'profile'),
    cacheDirectory: join(directory, 'cache'),
    headful: false,
  });
  resources.defer(() => browser.close());
  const { tabId } = await browser.instrument.open(origin.url + pagePath);
  const read = (size: ReadSize, marks?: boolean): Promise<ReadResult> => {
    const url = origin.url + resourcePath(`synthetic:${size}`, 'identity');
    return browser.instrument.read(tabId, { url, settleMs: 2, marks });
  };
  for (const size of readSizes) await read(size);
  // Awaited here: otherwise the browser would be closed before the result is awaited.
  const root = await browserSession(browser.browser);
  return await work({ browser: browser.browser, root, read });
}
