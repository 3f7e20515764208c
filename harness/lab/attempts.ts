import { CachescopeError, messageOf } from '../error.ts';

/** Tries of a step that needs a browser, each with a fresh one. A slow answer is no error; a wrong one is not tried again. */
export const maxAttempts = 3;

/** Errors of the browser, which a fresh one may not have. */
function isOfBrowser(error: unknown): boolean {
  return error instanceof CachescopeError && /^CS_(BROWSER|TIMEOUT|PAGE)/.test(error.code);
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
        `try ${attempt} of ${maxAttempts} failed (${messageOf(error)}); trying again with a fresh browser`,
      );
    }
  }
}
