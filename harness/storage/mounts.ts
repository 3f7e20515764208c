import { readFileSync } from 'node:fs';

interface Mount {
  point: string;
  /** What is mounted: a device's path for a disk. */
  source: string;
}

/** The mounts of this machine, newest last (proc_pid_mountinfo(5)). */
function mounts(): Mount[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      // Behind the fifth field comes a list of any length, which a dash ends.
      const [common = '', typed = ''] = line.split(' - ');
      return {
        point: unescapePath(common.split(' ')[4] ?? ''),
        source: unescapePath(typed.split(' ')[1] ?? ''),
      };
    });
}

/** Mount points of this machine, newest last. */
export function mountPoints(): string[] {
  return mounts().map(({ point }) => point);
}

/** Path of the device that is mounted there; null when nothing is. */
export function deviceMountedAt(path: string): string | null {
  return mounts().findLast(({ point }) => point === path)?.source ?? null;
}

/** Spaces, tabs, newlines and backslashes stand as octal escapes. */
function unescapePath(path: string): string {
  return path.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
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
