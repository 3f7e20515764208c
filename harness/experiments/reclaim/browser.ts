import { dirname, join } from 'node:path';
import type { Browser, CDPSession } from 'puppeteer-core';
import { browserGone, closeBrowser } from '../../browser/browser-exit.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { startChromium } from '../../browser/start.ts';
import { browserSession } from '../../browser/targets.ts';

const closeLimitMs = 20_000;

/** Options of the browser under load. */
export interface ReclaimLaunch {
  executablePath: string;
  profileDirectory: string;
  cacheDirectory: string;
  /** `--disk-cache-size`: size limit of the cache, bytes. */
  cacheBytes: number;
  /**
   * SHA-256 of the public key of the origin's certificate, base64. Besides the usual certificates, only this one is
   * trusted.
   */
  publicKeySha256: string;
  /** Additional command-line switches, for example to select a disk cache back end. */
  extra: readonly string[];
}

/** A running Chromium without extensions. No debugger is attached to its pages. */
export interface ReclaimBrowser {
  version: string;
  flags: string[];
  pid: number;
  /** Rejects when a page's renderer or the browser ends on its own, and otherwise never settles. */
  crashed: Promise<never>;
  /** Opens a page. Off the record, the page has its own browser context, whose cache is only in memory. */
  open(url: string, isOffTheRecord: boolean): Promise<void>;
  /** Closes gracefully; ends the process after 20 s. */
  close(): Promise<void>;
}

/** @throws CachescopeError CS_BROWSER_LAUNCH when Chromium does not start within 2 min. */
export function launchReclaimBrowser(launch: ReclaimLaunch): Promise<ReclaimBrowser> {
  const { executablePath, profileDirectory, cacheDirectory } = launch;
  const options = {
    executablePath,
    profileDirectory,
    cacheDirectory,
    headful: false,
    extra: switchesOf(launch),
    // Temporary files that a killed browser leaves behind are removed with its profile.
    temporaryDirectory: join(dirname(profileDirectory), 't'),
  };
  return startChromium(options, opened);
}

function switchesOf({ cacheBytes, publicKeySha256, extra }: ReclaimLaunch): string[] {
  return [
    `--disk-cache-size=${cacheBytes}`,
    `--ignore-certificate-errors-spki-list=${publicKeySha256}`,
    ...extra,
  ];
}

async function opened(browser: Browser): Promise<ReclaimBrowser> {
  const root = await browserSession(browser);
  const crashed = Promise.race([(await pageCrash(browser)).crashed, browserGone(browser)]);
  // Callers that await it get the rejection; a rejection that nobody awaits yet is not an error.
  crashed.catch(() => undefined);
  return {
    version: await browser.version(),
    flags: browser.process()?.spawnargs.slice(1) ?? [],
    pid: browser.process()?.pid ?? 0,
    crashed,
    open: (url, isOffTheRecord) => openPage(root, url, isOffTheRecord),
    close: () => closeBrowser(browser, closeLimitMs),
  };
}

async function openPage(root: CDPSession, url: string, isOffTheRecord: boolean): Promise<void> {
  const context = isOffTheRecord ? await root.send('Target.createBrowserContext') : {};
  const { targetId } = await root.send('Target.createTarget', { url, ...context });
  await root.send('Target.activateTarget', { targetId });
}
