import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../error.ts';
import { createPrivilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { closeBrowser } from '../browser/browser-exit.ts';
import { startIn } from '../browser/start.ts';
import { makeOutputDirectory, writeOutput } from './output-file.ts';

/** Draws the charts of a written report into `charts` beside it; returns why that was not possible, or null. */
export async function drawnCharts(
  html: string,
  directory: string,
  chromiumPath: string | null,
): Promise<string | null> {
  if (chromiumPath === null) return 'no Chromium was found to draw them';
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  // Journaled: the files of a program that is killed while it draws are removed later.
  await using work = await makeWorkDirectory('charts', privilege);
  try {
    await drawCharts(chromiumPath, html, join(directory, 'charts'), work.path);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Width of a chart's image, CSS pixels, at two device pixels each. */
const width = 960;
/** Time limit for the report to load, and then to draw itself, ms. */
const drawLimitMs = 120_000;

/**
 * Draws the charts of a written report.html with Chromium as PNG files in `directory`, one per figure, named by the
 * figure's id.
 *
 * @param work directory for the browser's files.
 */
async function drawCharts(
  chromiumPath: string,
  reportPath: string,
  directory: string,
  work: string,
): Promise<void> {
  const browser = await startIn(work, chromiumPath, [], {
    defaultViewport: { width, height: 800, deviceScaleFactor: 2 },
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(drawLimitMs);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
    await page.goto(pathToFileURL(reportPath).href);
    await page.waitForSelector('body[data-ready]');
    // A chart of a folded section takes its size when the section is opened.
    await page.$$eval('details', (folded) => folded.forEach((each) => (each.open = true)));
    await page.waitForFunction(
      "[...document.querySelectorAll('figure canvas')].every(({ width }) => width > 0)",
    );
    makeOutputDirectory(directory);
    for (const figure of await page.$$('figure[id]')) {
      const id = await figure.evaluate((element) => element.id);
      // The report shows a run from any source; the name of a figure must not lead out of the directory.
      const path = join(directory, `${id.replaceAll(/[^\w.-]/g, '_')}.png`);
      writeOutput(path, await figure.screenshot());
    }
  } finally {
    await closeBrowser(browser);
  }
}
