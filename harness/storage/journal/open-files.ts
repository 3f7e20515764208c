import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a link of /proc points to; null when the process has ended or belongs to another user. */
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
    // As above: it stays unnamed.
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

/** Processes that keep a mount busy, `chromium (pid 812)`: by an open file or a working directory. For messages. */
export function usersOf(mountPoint: string): string[] {
  const isBelow = (path: string | null) =>
    path !== null && (path === mountPoint || path.startsWith(`${mountPoint}/`));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => pathsInUse(pid).some(isBelow))
    .map((pid) => `${nameOf(pid)} (pid ${pid})`);
}
