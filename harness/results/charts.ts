import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { join } from 'node:path';
import { chromiumFlags } from '../browser/flags.ts';
import { temporaryIn } from '../browser/start.ts';
import { startLimitMs } from '../browser/start-limit.ts';
import { makeOutputDirectory, writeOutput } from './output-file.ts';

/** Width of a chart's image, CSS pixels, at two device pixels each. */
const width = 960;
/** Time limit for the report to load, and then to draw itself, ms. */
const drawLimitMs = 120_000;

/**
 * Draws the charts of a written report.html with Chromium as PNG files in `directory`, one per figure, named by the
 * figure's id. Returns the paths.
 */
export async function drawCharts(
  chromiumPath: string,
  reportPath: string,
  directory: string,
  profileDirectory: string,
): Promise<string[]> {
  const browser = await puppeteer.launch({
    executablePath: chromiumPath,
    userDataDir: profileDirectory,
    pipe: true,
    timeout: startLimitMs,
    env: { ...process.env, ...temporaryIn(join(profileDirectory, 't')) },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: chromiumFlags(
      { cacheDirectory: join(profileDirectory, 'cache') },
      process.getuid?.() === 0,
    ),
    defaultViewport: { width, height: 800, deviceScaleFactor: 2 },
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(drawLimitMs);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
    await page.goto(pathToFileURL(reportPath).href);
    await page.waitForSelector('body[data-ready]');
    makeOutputDirectory(directory);
    const paths: string[] = [];
    for (const figure of await page.$$('figure[id]')) {
      const id = await figure.evaluate((element) => element.id);
      // The report shows a run from any source; the name of a figure must not lead out of the directory.
      const path = join(directory, `${id.replaceAll(/[^\w.-]/g, '_')}.png`);
      writeOutput(path, await figure.screenshot());
      paths.push(path);
    }
    return paths;
  } finally {
    await browser.close();
  }
}
