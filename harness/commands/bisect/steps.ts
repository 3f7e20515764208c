import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { messageOf } from '../../error.ts';
import type { Problems } from '../../options/option-reading.ts';

/** A browser in an ordered list. */
export interface Step {
  /** A commit, as written in the list; otherwise the position in the list: `step3`. */
  name: string;
  browser: string;
}

/** Maximum size of a list, bytes: a list of some hundred lines is already long. */
const mostBytes = 1024 ** 2;

/**
 * Reads a list of browsers, oldest first: a line for each, a path or `COMMIT: PATH`; paths are relative to the folder
 * of the list. Empty lines and lines that begin with # are ignored. Problems are added to `problems`, none is thrown.
 */
export function readSteps(file: string, problems: Problems): Step[] {
  let text: string;
  try {
    text = readForeignText(file, { mostBytes });
  } catch (error) {
    problems.push(`--variants-from: ${messageOf(error)}`);
    return [];
  }
  const lines = text.split('\n').map((line) => line.trim());
  const steps = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index): Step => {
      const [, name = `step${index + 1}`, path = line] = /^([^\s:/]+):\s*(.+)$/.exec(line) ?? [];
      return { name, browser: resolve(dirname(file), path) };
    });
  const where = `--variants-from ${file}`;
  if (steps.length < 2)
    problems.push(`${where} names ${steps.length} browsers; at least 2 are needed`);
  for (const { name, browser } of steps) {
    if (!/^[\w.=+-]{1,60}$/.test(name))
      problems.push(
        `${where}: ${JSON.stringify(name)} is not a name; it has 1 to 60 letters, digits and ._=+-`,
      );
    checkBrowser(where, browser, problems);
  }
  const names = steps.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  if (twice.length > 0) problems.push(`${where} has ${[...new Set(twice)].join(', ')} twice`);
  return steps;
}

/** Adds a problem when the path is not a program that this user can start. */
export function checkBrowser(flag: string, path: string, problems: Problems): void {
  try {
    accessSync(path, constants.X_OK);
    if (!statSync(path).isFile()) problems.push(`${flag}: ${path} is not a file`);
  } catch {
    problems.push(`${flag}: ${path} is not there, or cannot be started`);
  }
}
