import type { Instrument } from '@cachescope/model/load/messages.ts';
import type { Browser, WebWorker } from 'puppeteer-core';
import { sleep } from 'zx';
import { CachescopeError, messageOf } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { browserGone, closeBrowser } from './browser-exit.ts';
import { pageCrash } from './page-crash.ts';
import { startChromium, startLimitMs, type StartOptions } from './start.ts';
import { isExtensionWorker, workerEnd } from './worker-end.ts';

/** Options of a launch with the extension. */
export interface LaunchOptions extends StartOptions {
  /** Folder of the built extension. */
  extensionDirectory: string;
}

/** A running Chromium with the extension's instrument. */
export interface LaunchedBrowser {
  /** For example `Chrome/156.0.8078.79`. */
  version: string;
  /** Its whole command line, including the flags that Puppeteer adds. */
  flags: string[];
  instrument: Instrument;
  /** Rejects with CS_PAGE_CRASHED when the renderer of a page ends: calls for that page are then never answered. */
  crashed: Promise<never>;
  /** The extension's service worker. */
  worker: WebWorker;
  browser: Browser;
  /** Closes gracefully, so that the cache's index is written; kills the process when that takes over a minute. */
  close(): Promise<void>;
}

/**
 * Starts Chromium without attaching to its pages: Puppeteer attaches only to the browser and to service workers,
 * because a page with the Network domain attached reads a cached megabyte 1.7 times as slowly (performance.md). Pages
 * are driven through the extension.
 *
 * @throws CachescopeError CS_BROWSER_LAUNCH when Chromium or the extension does not start within 2 min, or ends before.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  return startChromium(options, async (browser) => {
    const { crashed } = await pageCrash(browser);
    // Not every process that exits at its start is reported, and a call to its worker has a limit of minutes.
    const worker = await withTimeLimit(
      'Starting the extension',
      startLimitMs,
      instrumentWorker(browser),
    );
    return {
      version: await browser.version(),
      flags: browser.process()?.spawnargs.slice(1) ?? [],
      instrument: instrumentOf(worker),
      crashed,
      worker,
      browser,
      close: () => closeBrowser(browser, closeLimitMs),
    };
  });
}

async function instrumentWorker(browser: Browser): Promise<WebWorker> {
  const { ended } = await workerEnd(browser);
  return Promise.race([readyWorker(browser), ended, browserGone(browser)]);
}

async function readyWorker(browser: Browser): Promise<WebWorker> {
  const target = await browser.waitForTarget(
    (candidate) => isExtensionWorker(candidate.type(), candidate.url()),
    { timeout: startLimitMs },
  );
  const worker = await target.worker();
  if (!worker) throw new Error('the extension has no service worker');
  // Directly after its start the worker's global scope is not available yet.
  const isReady = () =>
    worker.evaluate('typeof globalThis.cachescope === "object"').catch(() => false);
  while (!(await isReady())) {
    if (!browser.connected) throw new Error('the browser ended');
    await sleep(50);
  }
  return worker;
}

/** Time limit for Chromium to write its cache's index and exit, ms. Data that it has not written by then is lost. */
const closeLimitMs = 60_000;

/** The service worker's global scope; the function below runs there. */
interface WithInstrument {
  cachescope: Record<string, (...words: unknown[]) => unknown>;
}

/** The instrument's methods, each forwarded to the extension's service worker. */
function instrumentOf(worker: WebWorker): Instrument {
  const forward =
    (method: keyof Instrument) =>
    (...words: unknown[]): Promise<never> =>
      worker
        .evaluate(
          (name, given) =>
            (globalThis as unknown as WithInstrument).cachescope[name]?.(...given) as never,
          method,
          words,
        )
        .catch((error: unknown) => {
          throw new CachescopeError(
            'CS_BROWSER_ANSWER',
            `the browser did not ${method}: ${messageOf(error)}`,
            {
              hint: 'It crashed, was ended, or lost its page. Start the command again.',
              cause: error,
            },
          );
        });
  return {
    open: forward('open'),
    read: forward('read'),
    close: forward('close'),
    watch: forward('watch'),
    unwatch: forward('unwatch'),
    loads: forward('loads'),
    load: forward('load'),
    connectLab: forward('connectLab'),
    saveLoads: forward('saveLoads'),
  };
}
