import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, launch, type Page, TargetType } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtExtension } from '../harness/browser/extension-build.ts';
import { findChromium } from '../harness/browser/find.ts';
import { madeUpRun } from './made-up-run.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'extension/dist');
const document = madeUpRun();

let browser: Browser;
let page: Page;
let directory: string;
let panelUrl: string;
/** What the page said or asked for that it should not have. */
let trouble: string[];

beforeAll(async () => {
  await builtExtension();
  directory = await mkdtemp(join(tmpdir(), 'cachescope-panel-'));
  browser = await launch({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    userDataDir: join(directory, 'profile'),
    pipe: true,
    enableExtensions: [dist],
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const worker = await browser.waitForTarget(
    (target) => target.type() === TargetType.SERVICE_WORKER,
  );
  panelUrl = new URL('panel.html', worker.url()).href;
});

afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

beforeEach(async () => {
  trouble = [];
  page = await browser.newPage();
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) trouble.push(request.url());
  });
});

afterEach(async () => {
  expect(trouble).toEqual([]);
  await page.close();
});

async function openReport(run: object): Promise<void> {
  const template = await readFile(join(dist, 'report.html'), 'utf8');
  const place = '<script type="application/json" id="run-document">';
  expect(template.split(place)).toHaveLength(2);
  const json = JSON.stringify(run).replaceAll('<', String.raw`\u003c`);
  const path = join(directory, 'report.html');
  await writeFile(
    path,
    template.replace(place, () => place + json),
  );
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('body[data-ready]');
}

/** Chooses files in the panel as a user does, and waits until they are dealt with. */
async function choose(...files: [name: string, text: string][]): Promise<void> {
  const paths = files.map(([name]) => join(directory, name));
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

/** Rows of the table of points. */
const points = '[aria-label="Each point"] tbody';

const text = (selector: string): Promise<string> =>
  page.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' '));

test('the report draws every figure by itself, without network or eval', async () => {
  await openReport(document);
  expect(await text('h1')).toBe('Brotli and DCB: reads from the disk cache');
  expect(await text('.answer')).toMatch(
    /^At 10 ms of read delay .* DCB is slower than Brotli by 6\d/,
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
    'bytes',
    'device-reads',
    'device-bytes',
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
  expect(await page.$$eval('details tbody tr', (rows) => rows.length)).toBe(24);
  expect(await text('[role=status]')).toBe('This report: 504 samples');
});

test('nothing of a document becomes markup', async () => {
  const title = '</script><img src=x onerror="document.title=1"><b>';
  const { run, samples } = document;
  await openReport({
    run: { ...run, plan: { ...run.plan, workload: { ...run.plan.workload, title } } },
    samples,
  });
  expect(await text('.facts')).toContain(title);
  expect(await page.$$('main img, main b')).toEqual([]);
});

test('it follows the theme, fits a narrow panel, and prints in light', async () => {
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
  await expect.poll(dark).toBe(false);
});

test('the panel as a tab says what to do, opens a run directory’s files, and survives broken ones', async () => {
  await page.goto(panelUrl);
  expect(await text('main')).toContain('run.json and samples.ndjson');
  const lines = document.samples.map((sample) => JSON.stringify(sample)).join('\n');
  await choose(['run.json', JSON.stringify(document.run)], ['samples.ndjson', `${lines}\n`]);
  await expect.poll(() => page.$$eval('figure', (found) => found.length)).toBe(6);

  await choose([
    'broken.json',
    '{"run": {"schemaVersion": 1, "experiment": "sweep"}, "samples": 3}',
  ]);
  expect(await text('[role=alert]')).toContain('broken.json: run.plan:');
  expect(await text('[role=alert]')).toContain('broken.json: samples:');
  expect(await text('[role=status]')).toBe('No run open');

  const huge = join(directory, 'huge.json');
  await writeFile(huge, '');
  await truncate(huge, 500 * 1024 ** 2);
  await choosePaths([huge]);
  expect(await text('[role=alert]')).toContain('huge.json is 500 MiB; at most 256 MiB');

  await choose(['again.json', JSON.stringify(document)]);
  await expect.poll(() => page.$$eval('figure', (found) => found.length)).toBe(6);
});

test('a run without a single sample is shown as unknown, without 0', async () => {
  const { run } = document;
  await openReport({
    run: { ...run, status: 'partial', statusReason: 'interrupted', proofs: [], stored: [] },
    samples: [],
  });
  expect(await text('.status')).toBe('⚠ partial: interrupted');
  expect(await text('.answer')).toContain('No usable sample');
});
