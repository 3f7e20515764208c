import type { Browser } from 'puppeteer-core';
import { CachescopeError } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';

/**
 * Resolves when the browser's process has exited and its exit code or signal is known, which is after its connection is
 * lost. Resolves at once for a browser that this program did not start.
 */
export function browserExit(browser: Browser): Promise<void> {
  const process = browser.process();
  return new Promise((resolve) => {
    if (!process || process.exitCode !== null || process.signalCode !== null) resolve();
    process?.once('exit', () => resolve());
  });
}

/** Rejects with CS_BROWSER_GONE when the browser is gone for any reason; never resolves. */
export function browserGone(browser: Browser): Promise<never> {
  return new Promise((_, reject) => {
    const error = new CachescopeError('CS_BROWSER_GONE', 'the browser ended');
    browser.once('disconnected', () => reject(error));
  });
}

/** Time limit for a browser to close, ms. */
const defaultLimitMs = 20_000;

/**
 * Closes gracefully, so that the caches write their pending data. A browser that does not close within `limitMs`, or
 * has lost its connection, is killed; its pending data is lost.
 *
 * Chromium's other processes end after its main process and may still write to the profile, also after it was removed:
 * this waits for them as well.
 */
export async function closeBrowser(browser: Browser, limitMs = defaultLimitMs): Promise<void> {
  const closed = Promise.all([browser.close(), browserExit(browser), processesEnded(browser)]);
  await withTimeLimit('Closing Chromium', limitMs, closed).catch(() =>
    killBrowser(browser, limitMs),
  );
}

/** Kills the browser at whatever point it is; waits for its other processes for at most `limitMs`. */
export async function killBrowser(browser: Browser, limitMs = defaultLimitMs): Promise<void> {
  const exited = browserExit(browser);
  const ended = processesEnded(browser);
  browser.process()?.kill('SIGKILL');
  await exited;
  await withTimeLimit('Ending Chromium', limitMs, ended).catch(() => undefined);
}

/** Every process of the browser inherits its standard error, so the last one of them closes it. */
function processesEnded(browser: Browser): Promise<void> {
  const stderr = browser.process()?.stderr;
  return new Promise((resolve) => {
    if (!stderr || stderr.closed) resolve();
    stderr?.once('close', () => resolve());
  });
}
