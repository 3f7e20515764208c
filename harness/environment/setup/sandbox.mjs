// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Debian's package of the setuid program that gives Chromium a sandbox where the kernel denies user namespaces. */
export const sandboxPackage = 'chromium-sandbox';

/** Where Debian's package installs Chromium. */
export const debianChromium = '/usr/bin/chromium';

/**
 * That program; null: there is none.
 *
 * @param {string} chromiumPath
 * @returns {string | null}
 */
export function sandboxHelper(chromiumPath) {
  const besides = [dirname(realpathSync(chromiumPath)), '/usr/lib/chromium'];
  const helpers = besides.map((directory) => join(directory, 'chrome-sandbox'));
  const isSetuid = (/** @type {string} */ path) =>
    ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o4000) !== 0;
  return helpers.find(isSetuid) ?? null;
}

/**
 * Why an unprivileged program cannot make a user namespace (user_namespaces(7)), as tried by unshare(1); null: it can.
 *
 * @returns {string | null}
 */
export function userNamespaceDenial() {
  const trial = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { encoding: 'utf8' });
  if (trial.status === 0) return null;
  const reason = trial.error?.message ?? trial.stderr.trim().split('\n').at(-1);
  return `User namespaces are denied (${reason})`;
}

/**
 * Whether Debian's Chromium finds no sandbox, without which it does not start for this user.
 *
 * @param {string} chromiumPath
 */
export function lacksSandbox(chromiumPath) {
  if (process.getuid?.() === 0 || chromiumPath !== debianChromium) return false;
  return sandboxHelper(chromiumPath) === null && userNamespaceDenial() !== null;
}
