import { lstatSync, realpathSync } from 'node:fs';
import { deviceMountedAt } from '../mounts.ts';
import { backingFileOf } from '../loop-devices.ts';
import type { Made } from './made.ts';
import { programOf } from './processes-naming.ts';

const ours = 'cachescope-';
/** Programs that this one starts and that may outlive it. */
const programs = new Set(['nginx']);

/**
 * The work directory of ours that contains a path: created by this user under our name prefix, and reached without
 * links.
 */
function workDirectoryOf(path: string): string | null {
  const parts = path.split('/');
  const at = parts.findLastIndex((part) => part.startsWith(ours));
  return at < 0 || parts.includes('..') ? null : parts.slice(0, at + 1).join('/');
}

function liesInOurs(path: string): boolean {
  const directory = workDirectoryOf(path);
  if (directory === null) return false;
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  // A missing directory contains nothing.
  if (!stat) return true;
  return (
    stat.isDirectory() && stat.uid === process.geteuid?.() && realpathSync(directory) === directory
  );
}

/** A disk of ours may be mounted at a path that the user chose: then its device identifies it. */
function isOurMount(path: string, images: readonly string[]): boolean {
  if (liesInOurs(path)) return true;
  const source = deviceMountedAt(path);
  if (source === null || source.startsWith(`/dev/mapper/${ours}`)) return true;
  const file = backingFileOf(source);
  return file !== null && (images.includes(file) || liesInOurs(file));
}

/**
 * Why the machine does not show that this program made a journal entry; null when it does. A name alone is no proof: it
 * is checked against the owner of its directory, the source of the mount, the file behind the device, and the program
 * and start time of the process. `made` are all entries of the journal.
 */
export function doubtOf(entry: Made, made: readonly Made[]): string | null {
  const images = made.flatMap((each) => (each.kind === 'image' ? [each.path] : []));
  switch (entry.kind) {
    case 'directory':
      if (workDirectoryOf(entry.path) !== entry.path)
        return `${entry.path} is not named like a directory of this program`;
      return liesInOurs(entry.path) ? null : `${entry.path} is no directory of this user`;
    case 'mount':
      return isOurMount(entry.path, images)
        ? null
        : `what is mounted at ${entry.path} is no disk of this program`;
    case 'fuse':
      return liesInOurs(entry.path) ? null : `${entry.path} lies in no directory of this program`;
    case 'loop':
      return images.includes(entry.backingFile) || liesInOurs(entry.backingFile)
        ? null
        : `${entry.backingFile} lies in no directory of this program`;
    case 'device-mapper':
    case 'network-namespace':
      return entry.name.startsWith(ours) ? null : `${entry.name} is no name of this program`;
    case 'tracing-instance':
      return /\/instances\/cachescope-\d+$/.test(entry.path) && !entry.path.includes('/../')
        ? null
        : `${entry.path} is no name of this program`;
    case 'process': {
      const { pid } = entry.process;
      const program = programOf(pid);
      return program === '' || (programs.has(program) && program === entry.name)
        ? null
        : `process ${pid} is ${program}, which this program does not end`;
    }
    case 'image':
      // Its identity is compared when it is removed.
      break;
  }
  return null;
}
