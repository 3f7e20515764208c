import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandText } from '../../privilege.ts';
import { kernelText } from '../../kernel-text.ts';
import { programOf } from '../../processes.ts';
import { draftsIn } from '../../results/output-file.ts';
import { nbdServers, nbdServersIn } from './processes-naming.ts';
import { isMapped } from '../back-ends/device-mapper.ts';
import { doubtOf, isUnchanged } from './confirmation.ts';
import type { Journal } from './journal.ts';
import type { Made } from './made.ts';
import { loopDevicesOver } from '../loop-devices.ts';
import { isMounted, mountPointsOf, parseMounts } from '../mounts.ts';
import { isOwnNamespace } from './open-files.ts';
import { isRunning, type ProcessIdentity } from './process-identity.ts';

/**
 * Commands that undo the entries of journals by hand, a line each, last made first. Omits entries that the machine does
 * not show as made by this program.
 */
export function undoLines(journals: readonly Journal[]): string[] {
  const commands = journals.flatMap(({ entries }) => {
    const made = entries.map((entry) => entry.made);
    return made
      .toReversed()
      .filter((each) => doubtOf(each, made) === null)
      .flatMap(undoCommands);
  });
  return [...new Set(commands.map(commandText))];
}

/** Why entries of journals are left as they are, a sentence each: the machine does not show that this program made them. */
export function doubtsOf(journals: readonly Journal[]): string[] {
  return journals.flatMap(({ entries }) => {
    const made = entries.map((entry) => entry.made);
    return made.flatMap((each) => doubtOf(each, made) ?? []);
  });
}

/** Commands that undo an entry, in order. None when the machine shows that it does not exist. */
export function undoCommands(made: Made): string[][] {
  switch (made.kind) {
    case 'directory':
      return existsSync(made.path) ? [['rm', '-r', made.path]] : [];
    case 'image':
      return isOurs(made) ? [['rm', made.path]] : [];
    case 'output':
      return unfinishedIn(made).map((path) => ['rm', '-r', path]);
    case 'mount':
      return isMounted(made.path) ? [['umount', made.path]] : [];
    case 'fuse': {
      const servers = serversOf(made).map(({ pid }) => ['kill', `${pid}`]);
      return isMounted(made.path) ? [['umount', made.path], ...servers] : servers;
    }
    case 'loop':
      // A mount in progress when its program was killed may have appeared only after its own undo step.
      return loopDevicesOver(made.backingFile).flatMap((device) => [
        ...mountPointsOf(device).map((point) => ['umount', point]),
        ...mountsElsewhere(made, device),
        ['losetup', '-d', device],
      ]);
    case 'device-mapper':
      return isMapped(made.name) ? [['dmsetup', 'remove', '--retry', made.name]] : [];
    case 'tracing-instance':
      return existsSync(made.path) ? [['rmdir', made.path]] : [];
    case 'network-namespace':
      return existsSync(namespacePath(made)) ? [deleteNamespace(made)] : [];
    default:
      return isRunning(made.process) ? [['kill', `${made.process.pid}`]] : [];
  }
}

/**
 * Commands that unmount a disk in the mount namespace of its own servers: it was brought up in that namespace, whose
 * mounts are not seen here. They need root.
 */
function mountsElsewhere({ backingFile }: Made & { kind: 'loop' }, device: string): string[][] {
  const servers = nbdServersIn(dirname(dirname(backingFile)));
  for (const { pid } of servers) {
    if (isOwnNamespace(pid)) continue;
    const points = parseMounts(kernelText(`/proc/${pid}/mountinfo`))
      .filter(({ source }) => source === device)
      .map(({ point }) => point);
    if (points.length > 0)
      return points.map((point) => ['nsenter', `--mount=/proc/${pid}/ns/mnt`, 'umount', point]);
  }
  return [];
}

/** The privileged commands that would undo an entry if it existed: for a dry run. */
export function dryRunCommands(made: Made): string[][] {
  switch (made.kind) {
    case 'mount':
    case 'fuse':
      return [['umount', made.path]];
    case 'loop':
      return [['losetup', '-d', '/dev/loopN']];
    case 'device-mapper':
      return [['dmsetup', 'remove', '--retry', made.name]];
    case 'tracing-instance':
      return [['rmdir', made.path]];
    case 'network-namespace':
      return [deleteNamespace(made)];
    default:
      return [];
  }
}

/**
 * nbdfuse and nbdkit of a work directory: those recorded when they started, and any whose command line names its path.
 */
export function serversOf(made: Made & { kind: 'fuse' }): ProcessIdentity[] {
  const found = nbdServersIn(dirname(made.path));
  const noted = (made.servers ?? [])
    .filter(isRunning)
    .filter(({ pid }) => nbdServers.has(programOf(pid)));
  return [...found, ...noted.filter(({ pid }) => !found.some((server) => server.pid === pid))];
}

/** True while the path is the file or directory that this program made. */
export function isOurs(made: Made & { kind: 'image' | 'output' }): boolean {
  return existsSync(made.path) && isUnchanged(made);
}

/** The files to remove of a directory of outputs that was not finished: all of it, or its drafts. */
export function unfinishedIn(made: Made & { kind: 'output' }): string[] {
  if (!isOurs(made)) return [];
  return made.drafts ? draftsIn(made.path) : [made.path];
}

/** Where the kernel shows a named network namespace while it exists. */
export function namespacePath({ name }: Made & { kind: 'network-namespace' }): string {
  return `/run/netns/${name}`;
}

function deleteNamespace({ name }: Made & { kind: 'network-namespace' }): string[] {
  return ['ip', 'netns', 'delete', name];
}
