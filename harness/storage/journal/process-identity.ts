import { readFileSync } from 'node:fs';

/** Identifies a process: a later one with the same pid differs in its start time. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks after boot at which it started (proc_pid_stat(5), field 22). */
  startTime: number;
}

/** Start time of the process with this pid; null when there is none. */
export function startTimeOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited; only its exit code has not been collected.
    return fields[0] === 'Z' ? null : Number(fields[19]);
  } catch {
    return null;
  }
}

/** The identity of a running process; null when there is none with this pid. */
export function identityOf(pid: number): ProcessIdentity | null {
  const startTime = startTimeOf(pid);
  return startTime === null ? null : { pid, startTime };
}

/** True while exactly this process runs. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return startTimeOf(pid) === startTime;
}
