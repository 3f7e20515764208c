// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawnSync } from 'node:child_process';

const limitMs = 30_000;

/**
 * Why this user cannot run commands as root, found out by trying: `there is no sudo`. Null: root, or sudo without a
 * password.
 *
 * @returns {string | null}
 */
export function rootObstacle() {
  if (process.getuid?.() === 0) return null;
  const { status, stderr, error } = spawnSync('sudo', ['-n', 'true'], {
    encoding: 'utf8',
    timeout: limitMs,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (error !== undefined) return 'there is no sudo';
  if (status === 0) return null;
  if (/password|terminal is required/.test(stderr)) return 'sudo asks for a password';
  // For example a container without new privileges, or a user who is not in sudoers.
  return `sudo refuses (${stderr
    .trim()
    .split('\n')[0]
    ?.replace(/^sudo: /, '')})`;
}
