import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch, TargetType } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtExtension } from '../harness/browser/extension-build.ts';
import { findChromium } from '../harness/browser/find.ts';
import { chromiumFlags } from '../harness/browser/flags.ts';
import { storeZip } from '../scripts/zip.ts';

let directory: string;
let unpacked: string;
let browser: Browser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-store-'));
  const zip = join(directory, 'store.zip');
  unpacked = join(directory, 'unpacked');
  await writeFile(zip, storeZip(await builtExtension()));
  execFileSync('python3', ['-m', 'zipfile', '--extract', zip, unpacked]);
  browser = await launch({
    executablePath: (await findChromium(undefined))?.path ?? 'chromium',
    userDataDir: join(directory, 'profile'),
    pipe: true,
    enableExtensions: [unpacked],
    args: chromiumFlags({ cacheDirectory: join(directory, 'cache') }, process.getuid?.() === 0),
  });
});

afterAll(async () => {
  await browser?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

test('the store’s build loads without the debugger permission, and its panel opens', async () => {
  expect(existsSync(join(unpacked, 'report.html'))).toBe(false);
  const target = await browser.waitForTarget(
    (candidate) => candidate.type() === TargetType.SERVICE_WORKER,
  );
  const page = await browser.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('requestfailed', (request) => trouble.push(request.url()));
  await page.goto(new URL('panel.html', target.url()).href);
  await page.waitForSelector('body[data-ready]');
  const asked = await page.evaluate(`(async () => {
    const { permissions, manifest_version } = chrome.runtime.getManifest();
    return { permissions, manifest_version, hasDebugger: 'debugger' in chrome };
  })()`);
  expect(asked).toMatchObject({ manifest_version: 3, hasDebugger: false });
  expect(JSON.stringify(asked)).not.toContain('"debugger"');
  expect(trouble).toEqual([]);
});

test('Chromium finds nothing wrong with its manifest', async () => {
  const page = await browser.newPage();
  await page.goto('chrome://extensions/');
  const found = await page.evaluate(`new Promise((resolve) =>
    chrome.developerPrivate.getExtensionsInfo({}, resolve))`);
  const extension = (found as { name: string }[]).find(({ name }) => name === 'Cachescope');
  expect(extension).toMatchObject({
    state: 'ENABLED',
    manifestErrors: [],
    runtimeErrors: [],
    installWarnings: [],
  });
});
