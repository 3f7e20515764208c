import { join, relative } from 'node:path';
import { kernelText } from '../kernel-text.ts';

/** Where a hierarchy of control groups is mounted, and which group is its top there. */
interface Hierarchy {
  point: string;
  root: string;
}

/** The mounted hierarchies that can freeze processes (Linux Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/freezer-subsystem.rst). */
function hierarchies(): { unified: Hierarchy | undefined; freezer: Hierarchy | undefined } {
  const lines = kernelText('/proc/self/mountinfo').split('\n');
  const find = (pattern: RegExp): Hierarchy | undefined => {
    const fields = lines.find((line) => pattern.test(line))?.split(' ');
    return fields && { root: fields[3] ?? '/', point: fields[4] ?? '' };
  };
  return { unified: find(/ - cgroup2 /), freezer: find(/ - cgroup \S+ \S*\bfreezer\b/) };
}

let mounted: ReturnType<typeof hierarchies> | undefined;

/**
 * The file that says whether a process is frozen, from the text of its /proc/PID/cgroup; null: it is in no group that
 * can be frozen.
 */
export function frozenFileOf(groups: string): string | null {
  mounted ??= hierarchies();
  const { unified, freezer } = mounted;
  const groupIn = (pattern: RegExp) => pattern.exec(groups)?.[1] ?? '/';
  const version1 = groupIn(/^\d+:(?:\S*,)?freezer(?:,\S*)?:(.*)$/m);
  if (freezer && version1 !== '/') return fileIn(freezer, version1, 'freezer.state');
  const version2 = groupIn(/^0::(.*)$/m);
  return unified && version2 !== '/' ? fileIn(unified, version2, 'cgroup.events') : null;
}

function fileIn({ point, root }: Hierarchy, group: string, file: string): string {
  return join(point, relative(root, group), file);
}

/** What that file says now. A group inside a frozen one is frozen too. */
export function isFrozen(file: string): boolean {
  return /^(?:FROZEN|FREEZING)$|^frozen 1$/m.test(kernelText(file));
}
