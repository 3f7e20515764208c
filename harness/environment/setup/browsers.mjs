// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram, isExecutable } from './programs.mjs';

/** Program names in the search path: unbranded Chromium first, then released browsers, then early channels. */
const programs = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
  'brave-browser-stable',
  'brave',
  'vivaldi',
  'vivaldi-stable',
  'opera',
  'google-chrome-beta',
  'google-chrome-unstable',
  'google-chrome-canary',
  'microsoft-edge-beta',
  'microsoft-edge-dev',
  'brave-browser-beta',
  'brave-browser-nightly',
  'vivaldi-snapshot',
  'opera-beta',
  'opera-developer',
];

/** Where the vendors' packages install the program that those names start. */
const vendorPaths = [
  '/opt/google/chrome/chrome',
  '/opt/microsoft/msedge/msedge',
  '/opt/brave.com/brave/brave',
  '/opt/vivaldi/vivaldi',
  '/usr/lib/x86_64-linux-gnu/opera/opera',
  '/opt/google/chrome-beta/chrome',
  '/opt/google/chrome-unstable/chrome',
  '/opt/microsoft/msedge-beta/msedge',
  '/opt/microsoft/msedge-dev/msedge',
];

/** Folders that Flatpak puts programs in, below the root or the user's home. */
const flatpakFolders = ['/var/lib/flatpak/exports/bin', '~/.local/share/flatpak/exports/bin'];
const flatpakNames = [
  'org.chromium.Chromium',
  'io.github.ungoogled_software.ungoogled_chromium',
  'com.google.Chrome',
  'com.google.ChromeDev',
  'com.microsoft.Edge',
  'com.brave.Browser',
  'com.vivaldi.Vivaldi',
  'com.opera.Opera',
];

/**
 * A browser on this machine.
 *
 * @typedef {object} Browser
 * @property {string} path
 * @property {string} foundBy Where it was found, for users: `the search path`.
 * @property {string | null} confinedBy The package system whose sandbox hides the cache directory from it: `snap`,
 *   `Flatpak`; null: none.
 */

/** @param {string} path */
function confinedBy(path) {
  const target = realpathSync(path);
  if (target === '/usr/bin/snap' || target.startsWith('/snap/')) return 'snap';
  // Ubuntu's chromium-browser is a script that starts the snap.
  return firstBytes(target).includes('/snap/') ? 'snap' : null;
}

/** @param {string} path */
function firstBytes(path) {
  const bytes = Buffer.alloc(4096);
  const file = openSync(path, 'r');
  try {
    const text = bytes.toString('latin1', 0, readSync(file, bytes));
    return text.startsWith('#!') ? text : '';
  } finally {
    closeSync(file);
  }
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The browsers that test tools keep below a folder, newest first.
 *
 * @param {string} folder
 * @returns {Browser[]}
 */
function keptIn(folder) {
  // oxlint-disable-next-line unicorn/no-array-sort -- Node 18 has no toSorted()
  const newestFirst = namesIn(folder).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newestFirst
    .flatMap((version) => [
      join(folder, version, 'chrome-linux64/chrome'),
      join(folder, version, 'chrome-linux/chrome'),
    ])
    .filter(isExecutable)
    .map((path) => ({ path, foundBy: folder, confinedBy: null }));
}

/**
 * Every Chromium on this machine, in the order of choice: the search path, the vendors' folders, those that Puppeteer and
 * Playwright keep, and at the end those in the sandbox of a package system.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @param {string} [home]
 * @param {string} [root] Directory in which /opt, /usr and /var are looked for.
 * @returns {Browser[]}
 */
export function findBrowsers(environment = process.env, home = homedir(), root = '/') {
  const inPath = programs
    .map((name) => findProgram(name, environment['PATH'] ?? ''))
    .filter((path) => path !== null)
    .map((path) => ({ path, foundBy: 'the search path', confinedBy: confinedBy(path) }));
  const ofVendors = vendorPaths
    .map((path) => join(root, path))
    .filter(isExecutable)
    .map((path) => ({ path, foundBy: dirname(path), confinedBy: null }));
  const puppeteer = environment['PUPPETEER_CACHE_DIR'] || join(home, '.cache/puppeteer');
  const kept = [
    ...['chrome', 'chromium'].flatMap((name) => keptIn(join(puppeteer, name))),
    ...keptIn(environment['PLAYWRIGHT_BROWSERS_PATH'] || join(home, '.cache/ms-playwright')),
  ];
  const exported = flatpakFolders
    .map((folder) => (folder.startsWith('~') ? join(home, folder.slice(2)) : join(root, folder)))
    .flatMap((folder) => flatpakNames.map((name) => join(folder, name)))
    .filter(isExecutable)
    .map((path) => ({ path, foundBy: dirname(path), confinedBy: 'Flatpak' }));
  const found = [...inPath, ...ofVendors, ...kept, ...exported];
  const free = found.filter((browser) => browser.confinedBy === null);
  const confined = found.filter((browser) => browser.confinedBy !== null);
  return oncePerProgram([...free, ...confined]);
}

/**
 * Several names start one program: `google-chrome` is a script beside the vendor's `chrome`.
 *
 * @param {readonly Browser[]} browsers
 */
function oncePerProgram(browsers) {
  const seen = new Set();
  return browsers.filter(({ path }) => {
    const target = realpathSync(path);
    const folder = dirname(target);
    const key = /\/opt\/|\/lib\//.test(folder) ? folder : target;
    return !seen.has(key) && seen.add(key);
  });
}
