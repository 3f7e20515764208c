import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { makeDirectories, ownDirectoryMode } from '../../results/output-file.ts';

const writableByOthers = 0o022;
const sticky = 0o1000;

/** Directory of the journals: one file for each owner that has something to undo. */
export function journalDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  // The specification ignores a relative path: from another directory its journals would not be found.
  const { XDG_STATE_HOME: named = '' } = environment;
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  const state = isAbsolute(named) ? named : join(home, '.local', 'state');
  return join(state, 'cachescope', 'storage');
}

/** Creates the directory of journals, which only this user can read and write. */
export function makeStateDirectory(path: string): void {
  makeDirectories(path, ownDirectoryMode);
  chmodSync(path, ownDirectoryMode);
}

/**
 * Why another user may have created the path, or may replace it; null when none could. `isAbove`: the directory above
 * may be root's, or sticky: then no other user can replace what lies in it.
 */
function faultOf(path: string, stat: Stats, isAbove: boolean): string | null {
  if (stat.isSymbolicLink()) return `${path} is a symbolic link`;
  const isOwn = stat.uid === process.geteuid?.() || (isAbove && stat.uid === 0);
  if (!isOwn) return `${path} belongs to user ${stat.uid}`;
  const isShared = (stat.mode & writableByOthers) !== 0 && !(isAbove && stat.mode & sticky);
  return isShared ? `others can write to ${path}` : null;
}

/**
 * Why a journal is not trusted; null when it is. It is acted on as root, so it and its directory must belong to this
 * user, and none of them may be writable by others.
 */
export function distrustOf(path: string): string | null {
  const directory = dirname(path);
  const above = dirname(directory);
  return (
    faultOf(path, lstatSync(path), false) ??
    faultOf(directory, lstatSync(directory), false) ??
    faultOf(above, lstatSync(above), true)
  );
}
