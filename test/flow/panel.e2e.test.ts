import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { chooseLoads } from '../../harness/browser/panel-browser.ts';
import { accessibilityTrouble } from '../accessibility.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { page, pageForEachTest, panel } from '../panel-page.ts';

const reportTemplate = join(import.meta.dirname, '../../extension/dist/reports/sweep.html');
const document = madeUpRun();

/**
 * The narrowest; docked right with the console open; docked at the bottom of a laptop; in a window of its own. CSS px.
 */
const sizes = [
  [400, 160],
  [554, 266],
  [790, 175],
  [1280, 720],
] as const;
/** Number of grid rows that are fully in view. */
const rowsInView = `(() => {
  const { top, bottom } = document.querySelector('.grid-scroller').getBoundingClientRect();
  const header = document.querySelector('.grid .header').getBoundingClientRect().height;
  return [...document.querySelectorAll('.grid .row')].filter((row) => {
    const own = row.getBoundingClientRect();
    return own.top >= top + header && own.bottom <= Math.min(bottom, innerHeight);
  }).length;
})()`;
/** Whether the button that unfolds the filter is shown, and in view without scrolling. */
const isFilterInReach = `(() => {
  const { width, right } = document.querySelector('.unfold').getBoundingClientRect();
  return width > 0 && right <= innerWidth;
})()`;

pageForEachTest({ isOpen: false });

async function openReport(run: object): Promise<void> {
  const template = await readFile(reportTemplate, 'utf8');
  const place = '<script type="application/json" id="run-document">';
  expect(template.split(place)).toHaveLength(2);
  const json = JSON.stringify(run).replaceAll('<', String.raw`\u003c`);
  const path = join(panel.directory, 'report.html');
  await writeFile(
    path,
    template.replace(place, () => place + json),
  );
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('body[data-ready]');
}

/** Opens files through the panel's file input, and waits until they are processed. */
async function choose(...files: [name: string, text: string][]): Promise<void> {
  const paths = files.map(([name]) => join(panel.directory, name));
  for (const [index, [, text]] of files.entries()) await writeFile(paths[index] ?? '', text);
  await choosePaths(paths);
}

async function choosePaths(paths: string[]): Promise<void> {
  const input = await page.waitForSelector('input#run-files');
  await input?.uploadFile(...paths);
  await page.waitForFunction(
    '!document.querySelector("[role=status]").textContent.startsWith("Opening")',
  );
}

const allFigures = () => page.waitForFunction("document.querySelectorAll('figure').length === 8");

/** Rows of the table of points. */
const points = '[aria-label="Each point"] tbody';

const text = (selector: string): Promise<string> =>
  page.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' ').trim());

test('the report draws every chart by itself, without network or eval', async () => {
  await openReport(document);
  expect(await text('h1')).toMatch(
    /^DCB is 6\d(\.\d)? ms \(\d+ %\) slower than Brotli at 10 ms of read delay$/,
  );
  expect(await text('.facts')).toMatch(/^Brotli and DCB: reads from the disk cache/);
  expect(await text('.finding')).toMatch(/On ordinary storage .* longer for each/);
  // A chart of a folded section is drawn at its size when the section is opened.
  await page.$$eval('details', (folded) => folded.forEach((each) => (each.open = true)));
  await page.waitForFunction(
    "[...document.querySelectorAll('figure canvas')].every(({ width }) => width > 0)",
  );
  const figures = await page.$$eval('figure', (found) =>
    found.map((figure) => {
      const canvas = figure.querySelector('canvas');
      const pixels =
        canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return {
        id: figure.id,
        drawn: pixels.some((value: number) => value > 0),
        label: canvas?.getAttribute('aria-label')?.length,
        caption: figure.querySelector('figcaption p')?.textContent?.length,
      };
    }),
  );
  expect(figures.map(({ id }) => id)).toEqual([
    'read-time',
    'gap',
    'break-even',
    'bytes',
    'device-reads',
    'device-bytes',
    'by-launch',
    'distribution-0',
  ]);
  for (const figure of figures) {
    expect(figure).toMatchObject({ drawn: true });
    expect(figure.label).toBeGreaterThan(40);
    expect(figure.caption).toBeGreaterThan(20);
  }
  expect(await page.$$eval(`${points} tr`, (rows) => rows.length)).toBe(12);
  expect(await text(`${points} tr:first-child th`)).toBe('control');
  expect(await text(`${points} .off`)).toContain('9.32');
  // The proofs of a delay share a row.
  expect(await page.$$eval('details tbody tr', (rows) => rows.length)).toBe(12);
  expect(await text('[role=status]')).toBe('This report: 504 samples');
});

test("two groups of a report's run are compared from the start, also DCB with DCB recompressed", async () => {
  await openReport(madeUpRun(20, [], true));
  const chosen = await page.$$eval('.compare select', (found) =>
    found.map((select) => select.selectedOptions[0]?.textContent?.trim()),
  );
  expect(chosen).toEqual(['10 ms, DCB', '10 ms, DCB, recompressed']);
  expect(await page.$$('run-compare [role=alert]')).toEqual([]);
  expect(await text('run-compare .answer')).toMatch(/^DCB recompressed is faster than DCB by /);
});

test('no text of a document becomes markup', async () => {
  const title = '</script><img src=x onerror="document.title=1"><b>';
  const { run, samples } = document;
  await openReport({
    run: { ...run, plan: { ...run.plan, workload: { ...run.plan.workload, title } } },
    samples,
  });
  expect(await text('.facts')).toContain(title);
  expect(await page.$$('main img, main b')).toEqual([]);
});

test('it follows the theme, fits a narrow panel, and prints in the light theme', async () => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await page.setViewport({ width: 400, height: 800 });
  await openReport(document);
  const dark = (): Promise<boolean> =>
    page.$eval(':root', (found) => found.classList.contains('theme-with-dark-background'));
  expect(await dark()).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
  await page.evaluate(`addEventListener('beforeprint', () => {
    globalThis.printed = document.documentElement.className;
  })`);
  await page.pdf();
  expect(await page.evaluate('globalThis.printed')).not.toContain('dark');
  expect(await dark()).toBe(true);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await expect.poll(dark, { timeout: hangLimitMs }).toBe(false);
});

test('the panel as a tab says what to do, opens a run directory’s files, and handles malformed ones', async () => {
  await page.goto(panel.panelUrl);
  expect(await text('main')).toContain('run.json and the .ndjson files of one run');
  const lines = document.samples.map((sample) => JSON.stringify(sample)).join('\n');
  await choose(['run.json', JSON.stringify(document.run)], ['samples.ndjson', `${lines}\n`]);
  await allFigures();

  await choose([
    'broken.json',
    '{"run": {"schemaVersion": 1, "experiment": "sweep"}, "samples": 3}',
  ]);
  expect(await text('[role=alert]')).toContain('broken.json: run.plan:');
  expect(await text('[role=alert]')).toContain('broken.json: samples:');
  expect(await text('[role=status]')).toBe('No run open');

  const huge = join(panel.directory, 'huge.json');
  await writeFile(huge, '');
  await truncate(huge, 500 * 1024 ** 2);
  await choosePaths([huge]);
  expect(await text('[role=alert]')).toContain('huge.json is 500 MiB; at most 256 MiB');

  await choose(['again.json', JSON.stringify(document)]);
  await allFigures();
});

test('a grid whose panel gets taller shows the rows that fit now', async () => {
  const count = 40;
  await page.setViewport({ width: 1200, height: 220 });
  await page.goto(panel.panelUrl);
  await chooseLoads(page, panel.directory, madeUpLoad({ id: 'taller', count }));
  const rows = () => page.$$eval('[role=grid] .row', (all) => all.length);
  expect(await rows()).toBeLessThan(count);
  await page.setViewport({ width: 1200, height: 1400 });
  await expect.poll(rows, { timeout: hangLimitMs }).toBe(count);
});

test('the grid shows at least four rows at each size of DevTools, and the collapsed rows open', async () => {
  await page.goto(panel.panelUrl);
  await chooseLoads(page, panel.directory, madeUpLoad({ id: 'small', count: 40 }));
  for (const deviceScaleFactor of [1, 2])
    for (const [width, height] of sizes) {
      await page.setViewport({ width, height, deviceScaleFactor });
      await expect
        .poll(() => page.evaluate(rowsInView), {
          message: `${width} x ${height}`,
          timeout: hangLimitMs,
        })
        .toBeGreaterThanOrEqual(4);
      expect(await page.evaluate(isFilterInReach), `${width} x ${height}`).toBe(height < 400);
      if (deviceScaleFactor === 2) expect(await accessibilityTrouble(page)).toEqual([]);
    }
  await page.setViewport({ width: 554, height: 266 });
  expect(await page.$eval('#filter', (found) => found.checkVisibility())).toBe(false);
  await page.keyboard.down('Control');
  await page.keyboard.press('f');
  await page.keyboard.up('Control');
  expect(await page.evaluate('document.activeElement.id')).toBe('filter');
  expect(await page.$eval('.unfold', (found) => found.getAttribute('aria-expanded'))).toBe('true');
  await page.focus('.unfold');
  await page.keyboard.press('Enter');
  expect(await page.$eval('#filter', (found) => found.checkVisibility())).toBe(false);
});

test('values of a run without samples are shown as unknown, not as 0', async () => {
  const { run } = document;
  await openReport({
    run: { ...run, status: 'partial', statusReason: 'interrupted', proofs: [], stored: [] },
    samples: [],
  });
  expect(await text('.status')).toBe('⚠ partial: interrupted');
  expect(await text('.answer')).toContain('no usable sample');
});

test('the report and the panel save the traced reads as a trace file', async () => {
  const traced = [madeUpTraced('br', 5, 3, { beginUs: 1000 }), madeUpTraced('dcb', 5, 9)];
  const run = { ...document, traced };
  const client = await panel.browser.target().createCDPSession();
  const downloadPath = join(panel.directory, 'downloads');
  await client.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath,
    eventsEnabled: true,
  });
  /** Clicks the button and reads the file that the browser has saved. */
  const saved = async (): Promise<{ name: string; text: string }> => {
    const started = new Promise<{ suggestedFilename: string; guid: string }>((resolve) =>
      client.once('Browser.downloadWillBegin', resolve),
    );
    const ended = new Promise<string>((resolve) =>
      client.on(
        'Browser.downloadProgress',
        ({ state }) => state !== 'inProgress' && resolve(state),
      ),
    );
    await page.locator('::-p-aria(Save the trace)').click();
    const { suggestedFilename: name, guid } = await started;
    expect(await ended).toBe('completed');
    return { name, text: await readFile(join(downloadPath, guid), 'utf8') };
  };
  await openReport(run);
  const fromReport = await saved();
  expect(fromReport.name).toBe('trace-2026-11-20T230000.json');
  const { traceEvents } = JSON.parse(fromReport.text) as {
    traceEvents: { cat: string; ph: string; args: { arm?: string } }[];
  };
  const of = (cat: string) => traceEvents.filter((event) => event.cat === cat && event.ph === 'X');
  expect(of('cachescope.read').map(({ args }) => args.arm)).toEqual(['br', 'dcb']);
  expect(of('cachescope.device')).toHaveLength(3 + 9);
  await page.goto(panel.panelUrl);
  await choose(['traced.json', JSON.stringify(run)]);
  expect(await saved()).toEqual(fromReport);
  await client.detach();
});
