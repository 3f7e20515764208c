import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { identityOfFile } from '../file-system.ts';
import { deviceMountedAt } from '../mounts.ts';
import { backingFileOf } from '../loop-devices.ts';
import type { Made } from './made.ts';
import { argumentsOf, programOf } from '../../processes.ts';
import { isRunning } from './process-identity.ts';

/** Names of devices and network namespaces that this program makes. */
const ownName = /^cachescope-[\w-]+$/;
/** Names of its work directories: `cachescope-PURPOSE-`, and 8 hexadecimal digits. */
const ownDirectoryName = /^cachescope-[a-z-]+-[0-9a-f]{8}$/;

/**
 * The work directory of ours that contains a path: created by this user under our name prefix, and reached without
 * links.
 */
function workDirectoryOf(path: string): string | null {
  const parts = path.split('/');
  const at = parts.findLastIndex((part) => ownDirectoryName.test(part));
  return at < 0 || parts.includes('..') ? null : parts.slice(0, at + 1).join('/');
}

/** null: there is no such entry, or its parent is no directory. */
function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function liesInOurs(path: string): boolean {
  const directory = workDirectoryOf(path);
  if (directory === null) return false;
  const stat = entryAt(directory);
  // A missing directory contains nothing.
  if (!stat) return true;
  return (
    stat.isDirectory() && stat.uid === process.geteuid?.() && realpathSync(directory) === directory
  );
}

/** Whether the path holds what was made, or nothing: a user may have replaced it. */
export function isUnchanged({ path, file }: Made & { kind: 'image' | 'output' }): boolean {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (file === undefined || !found) return file !== undefined;
  const { inode, birthtimeNs } = identityOfFile(found);
  return inode === file.inode && birthtimeNs === file.birthtimeNs;
}

/** A disk of ours may be mounted at a path that the user chose: then its device identifies it. */
function isOurMount(path: string, images: readonly string[]): boolean {
  if (liesInOurs(path)) return true;
  const source = deviceMountedAt(path);
  if (source === null || /^\/dev\/mapper\/cachescope-[\w-]+$/.test(source)) return true;
  const file = backingFileOf(source);
  return file !== null && (images.includes(file) || liesInOurs(file));
}

/** An instance of the kernel's tracing, below the kernel's own mount or one of ours. */
function isOurInstance(path: string): boolean {
  const [, root = ''] = /^(.*)\/instances\/cachescope-\d+$/.exec(path) ?? [];
  return /^\/sys\/kernel\/(debug\/)?tracing$/.test(root) || liesInOurs(root);
}

/**
 * nginx shows the directory and the configuration that it was started with as long as it runs. The name of its program
 * is no evidence: a user's own nginx may have any.
 */
function worksInOurs(pid: number): boolean {
  const [, directory] = / -p (\/.*?) -c \1\/nginx\.conf /.exec(argumentsOf(pid).join(' ')) ?? [];
  return directory !== undefined && liesInOurs(directory);
}

/**
 * Why the machine does not show that this program made a journal entry; null when it does. A name alone is no proof: it
 * is checked against the owner of its directory, the source of the mount, the file behind the device, and the start
 * time and arguments of the process. `made` are all entries of the journal.
 */
export function doubtOf(entry: Made, made: readonly Made[]): string | null {
  const images = made
    .filter((each) => each.kind === 'image')
    .filter(isUnchanged)
    .map(({ path }) => path);
  switch (entry.kind) {
    case 'directory':
      if (workDirectoryOf(entry.path) !== entry.path)
        return `${entry.path} is not named like a directory of this program`;
      return liesInOurs(entry.path) ? null : `${entry.path} is not a directory of this user`;
    case 'mount':
      return isOurMount(entry.path, images)
        ? null
        : `what is mounted at ${entry.path} is not a disk of this program`;
    case 'fuse':
      return liesInOurs(entry.path) ? null : `${entry.path} lies in no directory of this program`;
    case 'loop':
      return images.includes(entry.backingFile) || liesInOurs(entry.backingFile)
        ? null
        : `${entry.backingFile} lies in no directory of this program`;
    case 'device-mapper':
    case 'network-namespace':
      return ownName.test(entry.name) ? null : `${entry.name} is not a name of this program`;
    case 'tracing-instance':
      return isOurInstance(entry.path) ? null : `${entry.path} is not a name of this program`;
    case 'process': {
      const { pid } = entry.process;
      return !isRunning(entry.process) || worksInOurs(pid)
        ? null
        : `process ${pid} is ${programOf(pid)}, which this program does not end`;
    }
    case 'image':
    case 'output':
      // Its identity is compared when it is removed.
      break;
  }
  return null;
}
