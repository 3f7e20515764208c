import type { CdpSession } from './session.ts';
import { watchSession } from './cdp.ts';
import type { Watched } from './watch.ts';

export * from './cdp.ts';

/** A page of Puppeteer, as far as it is needed. */
export interface PuppeteerPage {
  createCDPSession(): Promise<CdpSession>;
}

/** Watches a page of Puppeteer from now on. Watching takes time: a watched load is no measurement of speed. */
export async function watch(page: PuppeteerPage): Promise<Watched> {
  return watchSession(await page.createCDPSession());
}
