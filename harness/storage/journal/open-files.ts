import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Target of a link in /proc; null when the process has exited or belongs to another user. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** Working directory and open files. */
function pathsInUse(pid: string): (string | null)[] {
  const directory = `/proc/${pid}/fd`;
  let files: string[] = [];
  try {
    files = readdirSync(directory);
  } catch {
    // It has exited or belongs to another user: it is not named.
  }
  return [`/proc/${pid}/cwd`, ...files.map((file) => `${directory}/${file}`)].map(targetOf);
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return 'ended';
  }
}

function runningPids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function isMountedFor(pid: string, device: string): boolean {
  try {
    // proc_pid_mountinfo(5): the file system's type and source come after " - ".
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
      .split('\n')
      .some((line) => line.split(' - ')[1]?.split(' ')[1] === device);
  } catch {
    return false;
  }
}

/**
 * Processes in other mount namespaces, such as those of a container, in which a device is still mounted, one per
 * namespace: `sh (pid 812)`. A namespace keeps the mounts that it copied when it was created, and with them the device.
 * For messages.
 */
export function namespaceUsersOf(device: string): string[] {
  const first = new Map<string, string>();
  for (const pid of runningPids()) {
    const namespace = targetOf(`/proc/${pid}/ns/mnt`);
    if (namespace && !first.has(namespace)) first.set(namespace, pid);
  }
  const own = targetOf('/proc/self/ns/mnt');
  return [...first]
    .filter(([namespace, pid]) => namespace !== own && isMountedFor(pid, device))
    .map(([, pid]) => `${nameOf(pid)} (pid ${pid})`);
}

/** Processes that keep a mount busy by an open file or a working directory, `chromium (pid 812)`. For messages. */
export function usersOf(mountPoint: string): string[] {
  const isBelow = (path: string | null) =>
    path !== null && (path === mountPoint || path.startsWith(`${mountPoint}/`));
  return runningPids()
    .filter((pid) => pathsInUse(pid).some(isBelow))
    .map((pid) => `${nameOf(pid)} (pid ${pid})`);
}
