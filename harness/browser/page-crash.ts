import type { Browser } from 'puppeteer-core';
import { CachescopeError } from '../error.ts';
import { browserSession } from './targets.ts';

/**
 * Rejects with CS_PAGE_CRASHED when a page's renderer exits by itself or is killed; pending calls to that page are then
 * never answered. It settles in no other way, and attaches to no page.
 */
export async function pageCrash(browser: Browser): Promise<{ crashed: Promise<never> }> {
  const root = await browserSession(browser);
  const crashed = new Promise<never>((_, reject) => {
    root.on('Target.targetCrashed', ({ status, errorCode }) =>
      reject(
        new CachescopeError(
          'CS_PAGE_CRASHED',
          `the page's renderer ended: ${status} (${errorCode})`,
        ),
      ),
    );
  });
  // A caller that awaits it gets the rejection; a rejection that nobody awaits is not an error.
  crashed.catch(() => undefined);
  await root.send('Target.setDiscoverTargets', { discover: true });
  return { crashed };
}
