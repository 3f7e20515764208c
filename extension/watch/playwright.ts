import { watchSession } from './cdp.ts';
import type { CdpSession } from './session.ts';
import type { Watched } from './watch.ts';

export * from './cdp.ts';

/** A page of Playwright in Chromium, as far as it is needed. */
export interface PlaywrightPage {
  // oxlint-disable-next-line typescript/no-explicit-any
  context(): { newCDPSession(page: any): Promise<CdpSession> };
}

/** Watches a page of Playwright from now on. Watching takes time: a watched load is no measurement of speed. */
export async function watch(page: PlaywrightPage): Promise<Watched> {
  return watchSession(await page.context().newCDPSession(page));
}
