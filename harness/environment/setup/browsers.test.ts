import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { choiceText, findChromium } from '../../browser/find.ts';
import { findBrowsers } from './browsers.mjs';

let machine: string;
beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'browsers-test-'));
  const made = machine;
  onTestFinished(() => rmSync(made, { recursive: true }));
});

function install(path: string, text = '#!/bin/sh\n'): string {
  const file = join(machine, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

const environment = () => ({ PATH: `${join(machine, 'usr/bin')}:${join(machine, 'snap/bin')}` });
const paths = () =>
  findBrowsers(environment(), join(machine, 'home'), machine).map(({ path }) => path);

test.each([
  'usr/bin/google-chrome-beta',
  'usr/bin/google-chrome-unstable',
  'usr/bin/microsoft-edge',
  'usr/bin/brave-browser',
  'usr/bin/vivaldi',
  'usr/bin/opera',
  'opt/google/chrome/chrome',
  'opt/microsoft/msedge/msedge',
  'opt/brave.com/brave/brave',
  'opt/vivaldi/vivaldi',
  'home/.cache/puppeteer/chrome/linux-156.0.8078.79/chrome-linux64/chrome',
  'home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome',
  'home/.cache/ms-playwright/chromium-1100/chrome-linux/chrome',
])('%s is found', (path) => {
  const file = install(path);
  expect(paths()).toEqual([file]);
});

test('the search path comes first, Chromium before others, the newest of a kept browser before older ones', () => {
  const kept = (version: string) =>
    install(`home/.cache/puppeteer/chrome/linux-${version}/chrome-linux64/chrome`);
  const [older, newer] = [kept('99.0.1.2'), kept('156.0.1.2')];
  const chrome = install('usr/bin/google-chrome');
  const chromium = install('usr/bin/chromium');
  expect(paths()).toEqual([chromium, chrome, newer, older]);
});

test('several names of one program are one browser', () => {
  const program = install('opt/google/chrome/chrome');
  install('opt/google/chrome/google-chrome');
  mkdirSync(join(machine, 'usr/bin'), { recursive: true });
  const name = join(machine, 'usr/bin/google-chrome');
  symlinkSync(join(dirname(program), 'google-chrome'), name);
  expect(paths()).toEqual([name]);
});

test('a browser in the sandbox of Flatpak or snap is named, and never chosen', async () => {
  install('var/lib/flatpak/exports/bin/com.google.Chrome');
  install('usr/bin/chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n');
  const found = findBrowsers(environment(), join(machine, 'home'), machine);
  expect(found.map(({ confinedBy }) => confinedBy)).toEqual(['snap', 'Flatpak']);
  expect(await findChromium(undefined, environment(), join(machine, 'home'))).toBeNull();
  const free = install('usr/bin/opera');
  const chosen = await findChromium(undefined, environment(), join(machine, 'home'));
  expect(chosen?.path).toBe(free);
});

test('the choice names its reason and the other browsers', () => {
  expect(choiceText({ path: '/a', foundBy: '--browser', others: [] })).toBe(
    'Browser: /a (--browser)',
  );
  expect(choiceText({ path: '/a', foundBy: 'the search path', others: ['/b', '/c'] })).toBe(
    'Browser: /a (the search path), the first found; also here: /b, /c. Choose with --browser PATH',
  );
});
