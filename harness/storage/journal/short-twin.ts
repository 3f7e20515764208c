import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { CachescopeError } from '../../error.ts';

/** Linux stores the path of a socket in 108 bytes, of which the last is 0 (unix(7)). */
const longestSocketPath = 107;

/** Where a short path can begin; the first that is writable is taken. */
const shortPlaces = ['/tmp', '/var/tmp', '/dev/shm'];

/** A path from the name of a work directory of ours on (journal/work-directory.ts, slow-disk.ts). */
const ownPart = /\/(cachescope-[a-z-]+-[0-9a-f]{8}(?:\/.*)?)$/;

/**
 * A directory for sockets: this one, where their paths fit, else the same path below a short place. A twin is removed
 * with its work directory (undo.ts).
 *
 * @param below The path of the longest socket below the directory.
 * @throws CachescopeError CS_SOCKET_PATH, exit code 3, when no place is short enough.
 */
export function shortTwin(directory: string, below: string): string {
  const fits = (path: string) => Buffer.byteLength(path + below) <= longestSocketPath;
  if (fits(directory)) return directory;
  const [, own] = ownPart.exec(directory) ?? [];
  const twins = own === undefined ? [] : shortPlaces.filter(isWritable).map((at) => join(at, own));
  const twin = twins.find(fits);
  if (twin !== undefined) return twin;
  const most = longestSocketPath - Buffer.byteLength(below);
  throw new CachescopeError(
    'CS_SOCKET_PATH',
    `the path of ${directory} has ${Buffer.byteLength(directory)} bytes; at most ${most} leave room for a socket in it`,
    { hint: 'Set TMPDIR to a directory with a shorter path.' },
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Paths that a work directory may have twins at; their absence is no error. */
export function possibleTwins(directory: string): string[] {
  const [, own] = ownPart.exec(directory) ?? [];
  return own === undefined
    ? []
    : shortPlaces.map((at) => join(at, own)).filter((path) => path !== directory);
}
