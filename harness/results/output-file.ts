import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { printableLines } from '@cachescope/model/printable.ts';
import { CachescopeError } from '../error.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Only the user who measured can read the results: a run may contain secrets of a page. */
export const ownFileMode = 0o600;
export const ownDirectoryMode = 0o700;

/**
 * Writes a file completely or not at all. An existing file or symbolic link of that name is replaced; the link's target
 * is unchanged. Synchronous, so that a program that is about to exit can use it.
 */
export function writeOutput(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, ownFileMode);
  try {
    const isText = path.endsWith('.txt') && typeof content === 'string';
    // A text report may be shown on a terminal.
    writeFileSync(file, isText ? printableLines(content) : content);
    // Some file systems rename before they write the content: after a power cut the file would be empty.
    fsyncSync(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Drafts that a killed program left in a directory. */
export function draftsIn(path: string): string[] {
  return readdirSync(path)
    .filter((name) => /\.[\da-f]{12}\.tmp$/.test(name))
    .map((name) => join(path, name));
}

/** Whether a path is taken, also by a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Creates a directory and its missing parents. Does not use `recursive`: where the system refuses to create a
 * directory, as in /proc, Node 26 retries forever.
 *
 * @throws the system's error.
 */
export function makeDirectories(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let each = resolve(path); !isThere(each); each = dirname(each)) missing.push(each);
  for (const each of missing.toReversed()) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Another program may create the same directory at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Creates an output directory. One that exists must be a directory of ours, not a link: whoever made the link could lead
 * our files elsewhere.
 *
 * @throws CachescopeError CS_OUT for a link or a file, CS_RUN_OWNER.
 */
export function makeOutputDirectory(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return makeDirectories(path, ownDirectoryMode);
  const kind = found.isSymbolicLink() ? 'a symbolic link' : 'not a directory';
  if (!found.isDirectory())
    throw new CachescopeError('CS_OUT', `${path} is ${kind}; nothing is written there`);
  requireOwnDirectory(path, 'Name another directory.');
}

/**
 * Refuses to write into a directory of another user, who could replace our files.
 *
 * @throws CachescopeError CS_RUN_OWNER, exit code 2.
 */
export function requireOwnDirectory(path: string, hint: string): void {
  const { uid } = lstatSync(`${path}/.`);
  if (uid === process.geteuid?.()) return;
  const message = `${path} belongs to user ${uid}; nothing is written to a directory of another user`;
  throw new CachescopeError('CS_RUN_OWNER', message, { hint });
}
