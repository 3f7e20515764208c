// npm run pictures -- panel: draws extension/panel.png, the panel in DevTools with a page that this program serves, mostly from
// the disk cache.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readHarPage } from '@cachescope/model/pageload/har.ts';
import { startPageOrigin } from '@cachescope/origin/pageload-server.ts';
import { sampleHar } from '@cachescope/origin/workloads/pageload-samples.ts';
import { buildSite } from '@cachescope/origin/workloads/pageload-site.ts';
import { pageResourcePath } from '@cachescope/origin/workloads/pageload-urls.ts';
import type { Frame, Page, ScreenshotClip } from 'puppeteer-core';
import { showExtensionPanel } from '../../harness/browser/devtools.ts';
import { panelBrowser } from '../../harness/browser/panel-browser.ts';
import { writePicture } from './write-picture.ts';

const picturePath = join(import.meta.dirname, '../../extension/panel.png');
/** A smaller picture shows an empty panel. */
const leastBytes = 60_000;
/** Rows that must be in the picture: with fewer rows it does not show the resource grid as a user sees it. */
const leastRows = 12;
/** Height of DevTools' own tabs above the panel, px. */
const tabBarPx = 27;
const pauseMs = 100;
const mostTries = 50;

/** The panel's frame, once DevTools has loaded the extension. */
async function shownPanel(devtools: Page): Promise<Frame> {
  // Directly after it opens, DevTools has no views yet, and the call throws.
  while (!(await devtools.evaluate(showExtensionPanel).catch(() => false))) await sleep(pauseMs);
  const isPanel = (frame: Frame) => frame.url().endsWith('/panel.html');
  const frame = await devtools.waitForFrame(isPanel, { timeout: 0 });
  await frame.waitForSelector('body[data-ready]', { timeout: 0 });
  return frame;
}

/** Number of rows of the resource grid that are fully in view. */
function rowsInView(frame: Frame): Promise<number> {
  return frame.evaluate(`(() => {
    const view = document.querySelector('.grid-scroller')?.getBoundingClientRect();
    if (!view) return 0;
    const bottom = Math.min(view.bottom, innerHeight);
    return [...document.querySelectorAll('[role=grid] .row')].filter((row) => {
      const { top, bottom: end, height } = row.getBoundingClientRect();
      return height > 0 && top >= view.top && end <= bottom;
    }).length;
  })()`) as Promise<number>;
}

/** Text of the status bar for the shown load. */
function statusOf(frame: Frame): Promise<string> {
  return frame.evaluate(
    "document.querySelector('[role=status]')?.textContent ?? ''",
  ) as Promise<string>;
}

/** The relevant part of DevTools: its tabs and the panel below them, without the page. */
async function panelClip(frame: Frame): Promise<ScreenshotClip> {
  const element = await frame.frameElement();
  const box = await element?.boundingBox();
  if (!box) throw new Error('the panel is not drawn');
  return { ...box, y: box.y - tabBarPx, height: box.height + tabBarPx };
}

await using resources = new AsyncDisposableStack();
const read = readHarPage({ name: 'sample news', json: sampleHar('news') }, 'synthetic');
if (!('value' in read)) throw new Error(read.problems.join('\n'));
const site = await buildSite(read.value, false);
const origin = await startPageOrigin(site);
resources.defer(() => origin.close());
const panel = await panelBrowser();
resources.defer(() => panel.close());
const [document] = site.page.resources;
if (!document) throw new Error('the sample page has no document');
const url = `${origin.url}${pageResourcePath(0, document)}`;
// Another tab has loaded the page before: its renderer keeps the memory cache, so this load hits the disk cache.
const before = await panel.browser.newPage();
await before.goto(url, { timeout: 0 });
await before.close();
const page = await panel.browser.newPage();
const devtools = await page.openDevTools();
await devtools.setViewport({ width: 1400, height: 720, deviceScaleFactor: 1.5 });
const frame = await shownPanel(devtools);
await page.goto(url, { timeout: 0 });
const isWhole = async () => /[1-9]\d* from cache.*Load: /s.test(await statusOf(frame));
while (!(await isWhole())) await sleep(pauseMs);
const rows = await rowsInView(frame);
if (rows < leastRows) throw new Error(`only ${rows} rows of the grid are in view`);
const clip = await panelClip(frame);
// After two frames the current content is drawn.
await frame.evaluate(
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
);
// The panel has its own process: Chromium may capture the window before the panel has drawn.
let picture: Uint8Array;
let tries = 0;
do {
  picture = await devtools.screenshot({ clip, captureBeyondViewport: false });
} while (picture.length < leastBytes && ++tries < mostTries);
writePicture(picturePath, picture, leastBytes);
