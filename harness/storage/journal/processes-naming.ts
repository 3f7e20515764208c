import { readdirSync, readFileSync } from 'node:fs';
import { identityOf, type ProcessIdentity } from './process-identity.ts';

/** A running process that names a path on its command line. */
export interface NamingProcess extends ProcessIdentity {
  /** `losetup`; the kernel keeps 15 characters. */
  program: string;
}

/** The program of a process as the kernel reports it; empty when there is no such process. */
export function programOf(pid: number): string {
  return readProcess(`${pid}`, 'comm').trimEnd();
}

/** The arguments of a process, separated by spaces; empty when there is no such process. */
export function commandLineOf(pid: number): string {
  return readProcess(`${pid}`, 'cmdline').replaceAll('\0', ' ');
}

function readProcess(pid: string, file: 'comm' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It exited meanwhile.
    return '';
  }
}

/**
 * Running processes with one of the paths, or a path below it, as an argument of their command line. The unique path of
 * a work directory identifies our commands even when the program that started them was killed before it could record
 * their pids.
 */
export function processesNaming(paths: readonly string[]): NamingProcess[] {
  const names = (word: string) =>
    paths.some((path) => word === path || word.startsWith(`${path}/`));
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => readProcess(pid, 'cmdline').split('\0').some(names))
    .flatMap((pid) => {
      const identity = identityOf(Number(pid));
      return identity ? [{ ...identity, program: programOf(Number(pid)) }] : [];
    });
}
