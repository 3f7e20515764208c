import { readdirSync, readlinkSync } from 'node:fs';
import { kernelText } from '../../kernel-text.ts';
import { programOf, runningPids } from '../../processes.ts';

/** Target of a link in /proc; null when the process has exited or belongs to another user. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** Working directory and open files. */
function pathsInUse(pid: number): (string | null)[] {
  const directory = `/proc/${pid}/fd`;
  let files: string[] = [];
  try {
    files = readdirSync(directory);
  } catch {
    // It has exited or belongs to another user: it is not named.
  }
  return [`/proc/${pid}/cwd`, ...files.map((file) => `${directory}/${file}`)].map(targetOf);
}

function nameOf(pid: number): string {
  return `${programOf(pid) || 'ended'} (pid ${pid})`;
}

/** Whether a process sees the same mounts as this one; true too for one that has exited, or whose namespace is hidden. */
export function isOwnNamespace(pid: number): boolean {
  const namespace = targetOf(`/proc/${pid}/ns/mnt`);
  return namespace === null || namespace === targetOf('/proc/self/ns/mnt');
}

function isMountedFor(pid: number, device: string): boolean {
  // proc_pid_mountinfo(5): the file system's type and source come after " - ".
  return kernelText(`/proc/${pid}/mountinfo`)
    .split('\n')
    .some((line) => line.split(' - ')[1]?.split(' ')[1] === device);
}

/**
 * Processes in other mount namespaces, such as those of a container, in which a device is still mounted, one per
 * namespace: `sh (pid 812)`. A namespace keeps the mounts that it copied when it was created, and with them the device.
 * For messages.
 */
export function namespaceUsersOf(device: string): string[] {
  const first = new Map<string, number>();
  for (const pid of runningPids()) {
    const namespace = targetOf(`/proc/${pid}/ns/mnt`);
    if (namespace && !first.has(namespace)) first.set(namespace, pid);
  }
  const own = targetOf('/proc/self/ns/mnt');
  return [...first]
    .filter(([namespace, pid]) => namespace !== own && isMountedFor(pid, device))
    .map(([, pid]) => nameOf(pid));
}

/** Processes that keep a mount busy by an open file or a working directory, `chromium (pid 812)`. For messages. */
export function usersOf(mountPoint: string): string[] {
  const isBelow = (path: string | null) =>
    path !== null && (path === mountPoint || path.startsWith(`${mountPoint}/`));
  return runningPids()
    .filter((pid) => pathsInUse(pid).some(isBelow))
    .map(nameOf);
}
