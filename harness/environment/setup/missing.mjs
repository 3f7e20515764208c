// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { findBrowsers } from './browsers.mjs';
import {
  browserPackages,
  diskPackages,
  ext4Package,
  missingOf,
  nbdLivePackages,
  python,
} from './needs.mjs';
import { libraryPackages } from './node.mjs';
import { installationCommand, packageManager, packageNames } from './packages.mjs';
import { isUbuntu } from './distribution.mjs';
import { lacksSandbox, sandboxPackage } from './sandbox.mjs';

/** What also the control needs. */
const neededAlways = new Set([python.name, ...browserPackages, ...Object.values(libraryPackages)]);

/**
 * What a user without root can do, and how.
 *
 * @param {string} obstacle Why there is no root.
 * @param {readonly string[]} missing Packages that are named below this text.
 */
export function withoutRootText(obstacle, missing = []) {
  const isBlocked = missing.some((name) => neededAlways.has(name));
  const works = isBlocked ? 'run when the packages below are installed' : 'run';
  return `without root the control, the panel and the analysis ${works}: npm run sweep -- --storage none, npm run explore -- --storage none, npm run micro, npm run report. A slow disk needs root, and ${obstacle}`;
}

/** Debian's names of the packages that a first measurement needs and this machine lacks. */
export function missingForMeasurement() {
  const needed = [python, ...diskPackages, ext4Package, ...nbdLivePackages];
  return [...missingOf(needed), ...missingForBrowser()];
}

/** Debian's names of the packages that a browser lacks; empty where there is one, and where none of them can be used. */
export function missingForBrowser() {
  if (process.env['CHROME_PATH'] || isUbuntu()) return [];
  const usable = findBrowsers().find(({ confinedBy }) => confinedBy === null);
  if (usable === undefined) return browserPackages;
  return packageManager()?.program === 'apt-get' && lacksSandbox(usable.path)
    ? [sandboxPackage]
    : [];
}

/**
 * Whether this program installs packages itself. For other package managers it only prints the command.
 *
 * @param {string | null} obstacle Why there is no root; null: there is.
 */
export function mayInstall(obstacle) {
  return obstacle === null && packageManager()?.program === 'apt-get';
}

/**
 * The message about missing packages that cannot be installed: what is missing, why, and one command.
 *
 * @param {string} purpose What needs them: `A measurement on nbd-live`.
 * @param {readonly string[]} debianNames
 * @param {string | null} obstacle Why there is no root; null: there is.
 * @param {string} [searchPath] Where the package manager is looked for.
 */
export function missingText(purpose, debianNames, obstacle, searchPath) {
  const manager = packageManager(searchPath);
  const names = manager === null ? debianNames : packageNames(manager, debianNames);
  const why = obstacle ?? failureText(manager);
  const needs = `${purpose} needs ${names.join(', ')}`;
  return {
    needs,
    message: `${needs}, and ${why}`,
    hint: commandText(manager, debianNames, obstacle),
  };
}

/** @param {import('./packages.mjs').PackageManager | null} manager */
function failureText(manager) {
  if (manager?.program === 'apt-get') return 'apt-get did not install them (see above)';
  return 'this program installs packages only with apt-get';
}

/**
 * @param {import('./packages.mjs').PackageManager | null} manager
 * @param {readonly string[]} debianNames
 * @param {string | null} obstacle
 */
function commandText(manager, debianNames, obstacle) {
  if (manager === null)
    return `Install these packages, here with Debian's names, and try again: ${debianNames.join(' ')}`;
  const withSudo =
    obstacle === 'sudo asks for a password' || (obstacle === null && process.getuid?.() !== 0);
  const command = installationCommand(manager, debianNames, withSudo);
  const asRoot = obstacle !== null && !withSudo ? ' as root' : '';
  return `One command installs all of it. Type${asRoot}: ${command}`;
}
