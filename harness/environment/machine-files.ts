import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that describe a machine: /proc, /sys, /lib/modules. */
export interface MachineFiles {
  /** Text of a file without surrounding white space; null when it does not exist or cannot be read: unknown. */
  text(path: string): string | null;
  /** Content of a file; null when it does not exist or cannot be read. */
  bytes(path: string): Buffer | null;
  /** A whole number in a file; null when there is none. */
  number(path: string): number | null;
  /** Names in a directory, sorted; null when it does not exist. */
  names(path: string): string[] | null;
}

/** The files below a root: this machine's, or made-up ones. */
export function machineFiles(root = '/'): MachineFiles {
  const bytes = (path: string) => {
    try {
      return readFileSync(join(root, path));
    } catch {
      return null;
    }
  };
  const text = (path: string) => bytes(path)?.toString('utf8').trim() ?? null;
  return {
    text,
    bytes,
    number(path) {
      const digits = text(path);
      return digits !== null && /^-?\d+$/.test(digits) ? Number(digits) : null;
    },
    names(path) {
      try {
        return readdirSync(join(root, path)).toSorted((a, b) =>
          a.localeCompare(b, 'en', { numeric: true }),
        );
      } catch {
        return null;
      }
    },
  };
}

const processors = '/sys/devices/system/cpu';

/** Directories of the processors under /sys; empty when the machine does not list them. */
export function processorDirectories(files: MachineFiles): string[] {
  const names = files.names(processors) ?? [];
  return names.filter((name) => /^cpu\d+$/.test(name)).map((name) => join(processors, name));
}
