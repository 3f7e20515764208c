// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The directories of system programs, which Debian's PATH omits for users. */
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * Whether a path is a program that this user may run.
 *
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Path of a program; null when there is none.
 *
 * @param {string} name
 * @param {string} [searchPath] Default: PATH and the directories of system programs.
 * @returns {string | null}
 */
export function findProgram(
  name,
  searchPath = [process.env['PATH'] ?? '', ...systemDirectories].join(delimiter),
) {
  const candidates = searchPath
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name));
  return candidates.find(isExecutable) ?? null;
}
