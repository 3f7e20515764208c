import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printableLines } from '@cachescope/model/printable.ts';
import { CachescopeError } from '../error.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Only the user who measured reads what was measured: a run may hold what a page kept secret. */
export const ownFileMode = 0o600;
export const ownDirectoryMode = 0o700;

/**
 * Writes a file whole or not at all. What had its name is replaced, also a symbolic link, whose target stays as it is.
 * Synchronous, so that a program that is about to end can use it.
 */
export function writeOutput(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, ownFileMode);
  try {
    const isText = path.endsWith('.txt') && typeof content === 'string';
    // A text report is read on a terminal too.
    writeFileSync(file, isText ? printableLines(content) : content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a directory and those above it that are missing. Not with `recursive`: where the system lets nobody make one, as in
 * /proc, Node 26 tries for ever.
 *
 * @throws the refusal of the system.
 */
export function makeDirectories(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.toReversed()) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Another program may make the same one at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Makes a directory for outputs in one of our own; what is there under its name must be a directory, not a link. */
export function makeOutputDirectory(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) makeDirectories(path, ownDirectoryMode);
  else if (!found.isDirectory()) throw new Error(`${path} is no directory`);
}

/**
 * Refuses to write into a directory of another user, who could put other files in place of ours.
 *
 * @throws CachescopeError CS_RUN_OWNER, exit code 2.
 */
export function requireOwnDirectory(path: string, hint: string): void {
  const { uid } = lstatSync(`${path}/.`);
  if (uid === process.geteuid?.()) return;
  const message = `${path} belongs to user ${uid}; nothing is written to a directory of another user`;
  throw new CachescopeError('CS_RUN_OWNER', message, { hint });
}
