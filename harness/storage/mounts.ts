import { existsSync, readFileSync } from 'node:fs';

interface Mount {
  point: string;
  /** The mounted source: for a disk, the device's path. */
  source: string;
}

/** Parses /proc/self/mountinfo (proc_pid_mountinfo(5)); newest last. */
export function parseMounts(text: string): Mount[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    // A list of any length, ended by a dash, follows the sixth field.
    const [common = '', typed = ''] = line.split(' - ');
    return {
      point: unescapePath(common.split(' ')[4] ?? ''),
      source: unescapePath(typed.split(' ')[1] ?? ''),
    };
  });
}

/** None without /proc, as on another system than Linux: commands that mount refuse to run there. */
function mounts(): Mount[] {
  if (!existsSync('/proc/self')) return [];
  return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
}

/** Mount points of this machine, newest last. */
export function mountPoints(): string[] {
  return mounts().map(({ point }) => point);
}

/** Path of the device that is mounted there; null when none is. */
export function deviceMountedAt(path: string): string | null {
  return mounts().findLast(({ point }) => point === path)?.source ?? null;
}

/** Mount points of a device. */
export function mountPointsOf(device: string): string[] {
  return mounts()
    .filter(({ source }) => source === device)
    .map(({ point }) => point);
}

/** Spaces, tabs, newlines and backslashes are written as octal escapes. */
function unescapePath(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCodePoint(Number.parseInt(octal, 8)),
  );
}

export function isMounted(path: string): boolean {
  return mountPoints().includes(path);
}

/** Mount points at or below a directory. */
export function mountsBelow(directory: string): string[] {
  return mountPoints().filter((point) => point === directory || point.startsWith(`${directory}/`));
}
