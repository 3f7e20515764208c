import type { ErrorCode } from '@cachescope/model/errors/index.ts';
import { CachescopeError, messageOf } from '../error.ts';

/**
 * Attempts of a step that needs a browser, each with a fresh one. A slow response is not an error; a wrong one is not
 * retried.
 */
const maxAttempts = 3;

/** Errors of the browser that a fresh one may not have. */
const ofBrowser: ReadonlySet<ErrorCode> = new Set([
  'CS_BROWSER_ANSWER',
  'CS_BROWSER_GONE',
  'CS_BROWSER_LAUNCH',
  'CS_BROWSER_PAGE',
  'CS_BROWSER_READ',
  'CS_BROWSER_TRACE',
  'CS_MICRO_PAGE',
  'CS_PAGE_CRASHED',
  'CS_PAGELOAD_DICTIONARY',
  'CS_TIMEOUT',
]);

async function isOfBrowser(error: unknown): Promise<boolean> {
  const { PuppeteerError } = await import('puppeteer-core');
  // Puppeteer reports with an error of its own that a target or the connection closed during a call.
  if (error instanceof PuppeteerError) return true;
  // Exit code 3: the machine lacks something, which a fresh browser lacks too.
  return error instanceof CachescopeError && ofBrowser.has(error.code) && error.exitCode !== 3;
}

/**
 * Runs a step at most three times, while the failure is the browser's.
 *
 * @param say called each time with the reason for the retry.
 */
export async function withFreshBrowsers<Value>(
  say: (line: string) => void,
  step: (attempt: number) => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step(attempt);
    } catch (error) {
      if (attempt === maxAttempts || !(await isOfBrowser(error))) throw error;
      say(
        `try ${attempt} of ${maxAttempts} failed (${messageOf(error)}); trying again with a new browser`,
      );
    }
  }
}
