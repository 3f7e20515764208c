// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { readFileSync } from 'node:fs';

/** Text of os-release(5); empty where it cannot be read. */
function release() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Whether this is Ubuntu, whose package chromium is a snap.
 *
 * @param {string} [text] os-release(5).
 */
export function isUbuntu(text = release()) {
  return /^ID="?ubuntu"?$/m.test(text);
}
