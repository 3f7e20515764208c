import { dirname, join } from 'node:path';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { browserGone, closeBrowser } from '../../browser/browser-exit.ts';
import { childProcesses, endChildrenSince } from '../../browser/child-processes.ts';
import { chromiumFlags } from '../../browser/flags.ts';
import { temporaryIn } from '../../browser/launch.ts';
import { startLimitMs } from '../../browser/start-limit.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { browserSession } from '../../browser/targets.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';

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
export async function launchReclaimBrowser(launch: ReclaimLaunch): Promise<ReclaimBrowser> {
  const children = childProcesses();
  let browser: Browser | undefined;
  try {
    const launching = puppeteer.launch({
      executablePath: launch.executablePath,
      userDataDir: launch.profileDirectory,
      headless: true,
      pipe: true,
      waitForInitialPage: false,
      timeout: startLimitMs,
      targetFilter: (target) => target.type() === 'browser',
      args: chromiumFlags(
        { cacheDirectory: launch.cacheDirectory, extra: switchesOf(launch) },
        process.getuid?.() === 0,
      ),
      // Temporary files that a killed browser leaves behind are removed with its profile.
      env: { ...process.env, ...temporaryIn(join(dirname(launch.profileDirectory), 't')) },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    browser = await withTimeLimit('Starting Chromium', startLimitMs, launching);
    return await opened(browser);
  } catch (error) {
    browser?.process()?.kill('SIGKILL');
    endChildrenSince(children);
    const message = `${launch.executablePath} did not start: ${messageOf(error)}`;
    const hint =
      'Start it by hand with --headless to see its output; name another with --browser PATH.';
    throw new CachescopeError('CS_BROWSER_LAUNCH', message, { hint, cause: error });
  }
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
