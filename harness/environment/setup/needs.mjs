// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawnSync } from 'node:child_process';
import { findProgram } from './programs.mjs';
import { sandboxPackage } from './sandbox.mjs';

/**
 * A package that a measurement needs.
 *
 * @typedef {object} NeededPackage
 * @property {string} name Debian's name of the package.
 * @property {string} program The program that shows whether the package is installed.
 * @property {readonly string[]} probe Arguments with which that program exits with code 0 only when the package is
 *   installed and works.
 */

/**
 * Evicts the page cache (page-cache-preparer.ts), also of ordinary storage. Debian's python3-minimal lacks these modules.
 *
 * @type {NeededPackage}
 */
export const python = {
  name: 'python3',
  program: 'python3',
  probe: ['-c', 'import ctypes, json, mmap'],
};

/** Needed by every slow disk. @type {readonly NeededPackage[]} */
export const diskPackages = [{ name: 'mount', program: 'losetup', probe: ['--version'] }];

/** @type {NeededPackage} */
export const ext4Package = { name: 'e2fsprogs', program: 'mkfs.ext4', probe: ['-V'] };

/** Present nbdkit's export as a file. @type {readonly NeededPackage[]} */
export const nbdPackages = [
  { name: 'nbdkit', program: 'nbdkit', probe: ['--version'] },
  { name: 'libnbd-bin', program: 'nbdfuse', probe: ['--version'] },
];

/** @type {readonly NeededPackage[]} */
export const nbdLivePackages = [
  ...nbdPackages,
  { name: 'nbdkit-plugin-python', program: 'nbdkit', probe: ['--dump-plugin', 'python'] },
];

/** The browser, and the helper that gives it a sandbox where the kernel denies user namespaces. */
export const browserPackages = ['chromium', sandboxPackage];

const probeLimitMs = 30_000;

/** @param {NeededPackage} needed */
function isInstalled({ program, probe }) {
  const path = findProgram(program);
  if (path === null) return false;
  return spawnSync(path, probe, { stdio: 'ignore', timeout: probeLimitMs }).status === 0;
}

/**
 * Names of the packages that are not installed, each once.
 *
 * @param {readonly NeededPackage[]} needed
 * @returns {string[]}
 */
export function missingOf(needed) {
  return [...new Set(needed.filter((each) => !isInstalled(each)).map(({ name }) => name))];
}
