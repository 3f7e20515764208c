import { kernelText } from '../kernel-text.ts';

/**
 * Ids of this program's child processes (proc(5), /proc/PID/task/TID/children); empty where the kernel does not report
 * them.
 */
export function childProcesses(): number[] {
  const children = kernelText(`/proc/self/task/${process.pid}/children`);
  return children.split(' ').filter(Boolean).map(Number);
}

/** Kills, by their ids, the child processes that were started since `before` was read. */
export function endChildrenSince(before: readonly number[]): void {
  for (const pid of childProcesses().filter((child) => !before.includes(child))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just exited by itself.
    }
  }
}
