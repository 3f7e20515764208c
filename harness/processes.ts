import { existsSync, readdirSync } from 'node:fs';
import { kernelText } from './kernel-text.ts';

/** Ids of the running processes; none where the system shows none. */
export function runningPids(proc = '/proc'): number[] {
  if (!existsSync(proc)) return [];
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The arguments of a process. */
export function argumentsOf(pid: number): string[] {
  return kernelText(`/proc/${pid}/cmdline`).split('\0');
}

/** The program of a process as the kernel reports it, at most 15 characters; empty when there is no such process. */
export function programOf(pid: number): string {
  return kernelText(`/proc/${pid}/comm`).trimEnd();
}

/**
 * Fields of /proc/PID/stat from the third on (proc_pid_stat(5)): state, parent and so on. The second is the program's
 * name in parentheses and may itself contain spaces and parentheses.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A process and all its descendants, by their parents in /proc/PID/stat; empty when the first is gone. */
export function familyOf(first: number, proc = '/proc'): number[] {
  const parents = runningPids(proc).map(
    (pid) => [pid, Number(statFields(kernelText(`${proc}/${pid}/stat`))[1])] as const,
  );
  if (!parents.some(([pid]) => pid === first)) return [];
  const family = new Set([first]);
  // A child may have a smaller pid than its parent, so the list is scanned until no process is added.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}
