import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type PanelBrowser, panelBrowser } from '../harness/browser/panel-browser.ts';

/** The browser of the test file, with the extension. */
export let panel: PanelBrowser;
/** The page of the running test. */
export let page: Page;

/**
 * Gives each test of a file a page of its own in one browser. A test fails when its page reports an error or sends a
 * request to a network. With `isOpen` the page shows the panel without stored settings, 1200 x 700 CSS px.
 */
export function pageForEachTest({ isOpen }: { isOpen: boolean }): void {
  let trouble: string[];
  beforeAll(async () => {
    panel = await panelBrowser();
  });
  afterAll(() => panel?.close());
  beforeEach(async () => {
    trouble = [];
    page = await panel.newPage();
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('request', (request) => {
      if (/^(https?|wss?):/.test(request.url())) trouble.push(request.url());
    });
    if (!isOpen) return;
    await page.setViewport({ width: 1200, height: 700 });
    await page.goto(panel.panelUrl);
  });
  afterEach(async () => {
    expect(trouble).toEqual([]);
    if (isOpen) await page.evaluate('localStorage.clear()');
    await page.close();
  });
}
