import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { type PanelBrowser, panelBrowser } from '../../harness/browser/panel-browser.ts';
import { storeZip } from '../../scripts/zip.ts';

let directory: string;
let unpacked: string;
let panel: PanelBrowser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cachescope-store-'));
  const zip = join(directory, 'store.zip');
  unpacked = join(directory, 'unpacked');
  await writeFile(zip, storeZip(await builtExtension()));
  execFileSync('python3', ['-m', 'zipfile', '--extract', zip, unpacked]);
  panel = await panelBrowser(unpacked);
});

afterAll(async () => {
  await panel?.close();
  await rm(directory, { recursive: true, force: true });
});

test('the store’s build loads without the debugger permission, and its panel opens', async () => {
  expect(existsSync(join(unpacked, 'reports'))).toBe(false);
  const page = await panel.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('requestfailed', (request) => trouble.push(request.url()));
  await page.goto(panel.panelUrl);
  await page.waitForSelector('body[data-ready]');
  const asked = await page.evaluate(`(async () => {
    const { permissions, manifest_version } = chrome.runtime.getManifest();
    return { permissions, manifest_version, hasDebugger: 'debugger' in chrome };
  })()`);
  expect(asked).toMatchObject({ manifest_version: 3, hasDebugger: false });
  expect(JSON.stringify(asked)).not.toContain('"debugger"');
  expect(trouble).toEqual([]);
});

test('Chromium reports no problem with its manifest', async () => {
  const page = await panel.newPage();
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
