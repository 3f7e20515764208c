import { kernelText } from '../../kernel-text.ts';
import { statFields } from '../../processes.ts';

/** Identifies a process: a later one with the same pid differs in its start time. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks after boot at which it started (proc_pid_stat(5), field 22). */
  startTime: number;
}

/** Start time of the process with this pid; null when there is none. */
function startTimeOf(pid: number): number | null {
  const fields = statFields(kernelText(`/proc/${pid}/stat`));
  const startTime = fields[22 - 3];
  // A zombie has exited; only its exit code has not been collected.
  return startTime === undefined || fields[0] === 'Z' ? null : Number(startTime);
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
