import { join } from 'node:path';
import type { ReadResult } from '@cachescope/model/load/messages.ts';
import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { pagePath, resourcePath } from '@cachescope/origin/workloads/urls.ts';
import type { Browser, CDPSession } from 'puppeteer-core';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { launchBrowser } from '../../harness/browser/launch.ts';
import { browserSession } from '../../harness/browser/targets.ts';
import { chromiumPath, temporaryDirectory } from './place.ts';

/** Sizes of the resources to read. */
const readSizes = ['1kb', '1mb'] as const;
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
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const names = readSizes.map((size) => `synthetic:${size}`);
  const workloads = await Promise.all(names.map(findWorkload));
  const origin = await startOrigin({ workloads });
  resources.defer(() => origin.close());
  const browser = await launchBrowser({
    executablePath: await chromiumPath(),
    extensionDirectory: await builtExtension(),
    profileDirectory: join(path, 'profile'),
    cacheDirectory: join(path, 'cache'),
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

/** Times of reads by size, ms. */
export type Readings = ReadonlyMap<ReadSize, Reading[]>;
export const noReadings = (): Readings => new Map(readSizes.map((size) => [size, []]));

/** Adds some reads of each size, the sizes in turn, as readings of one launch. */
export async function takeReads(
  { read }: TracedBrowser,
  readings: Readings,
  { launch, count, marks }: { launch: number; count: number; marks?: boolean },
): Promise<void> {
  for (let index = 0; index < count; index++)
    for (const [size, taken] of readings) {
      const { readMs } = await read(size, marks);
      taken.push({ value: readMs, launch });
    }
}
