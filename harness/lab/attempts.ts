import type { ErrorCode } from '@cachescope/model/errors/index.ts';
import { CachescopeError, messageOf } from '../error.ts';

/** Tries of a step that needs a browser, each with a fresh one. A slow answer is no error; a wrong one is not tried again. */
export const maxAttempts = 3;

/** Errors of the browser, which a fresh one may not have. */
const ofBrowser: ReadonlySet<ErrorCode> = new Set([
  'CS_BROWSER_ANSWER',
  'CS_BROWSER_GONE',
  'CS_BROWSER_LAUNCH',
  'CS_BROWSER_PAGE',
  'CS_BROWSER_READ',
  'CS_BROWSER_TRACE',
  'CS_PAGE_CRASHED',
  'CS_PAGELOAD_DICTIONARY',
  'CS_TIMEOUT',
]);

function isOfBrowser(error: unknown): boolean {
  return error instanceof CachescopeError && ofBrowser.has(error.code);
}

/**
 * Does a step at most three times, as long as it is the browser that fails.
 *
 * @param say told each time why it is done again.
 */
export async function withFreshBrowsers<Value>(
  say: (line: string) => void,
  step: (attempt: number) => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step(attempt);
    } catch (error) {
      if (attempt === maxAttempts || !isOfBrowser(error)) throw error;
      say(
        `try ${attempt} of ${maxAttempts} failed (${messageOf(error)}); trying again with a new browser`,
      );
    }
  }
}
