import { readdirSync, readFileSync } from 'node:fs';
import { identityOf, type ProcessIdentity } from './process-identity.ts';

const programs = new Set(['nbdfuse', 'nbdkit']);

function readProcess(pid: string, file: 'comm' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It ended while we looked.
    return '';
  }
}

/**
 * Running nbdfuse and nbdkit processes that serve from a work directory. Its unique path on their command lines is how we
 * know them for ours, also when the program that started them was killed before it could note their ids.
 */
export function nbdServersIn(directory: string): ProcessIdentity[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => programs.has(readProcess(pid, 'comm').trimEnd()))
    .filter((pid) =>
      readProcess(pid, 'cmdline')
        .split('\0')
        .some((word) => word.startsWith(`${directory}/`)),
    )
    .map((pid) => identityOf(Number(pid)))
    .filter((process) => process !== null);
}
