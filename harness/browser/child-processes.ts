import { readFileSync } from 'node:fs';

/**
 * Ids of this program's child processes (proc(5), /proc/PID/task/TID/children); empty where the kernel does not report
 * them.
 */
export function childProcesses(): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
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
