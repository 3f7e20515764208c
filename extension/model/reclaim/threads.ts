import type { ReclaimWindow } from './window.ts';

/** States of the threads of one name over a run: each a share of one core, or of the time. */
export interface ThreadStates {
  type: string;
  thread: string;
  /** Largest number of threads with that name at one time. */
  threads: number;
  /** In user mode and in the kernel: share of one core; above 1 for several threads. */
  userShare: number;
  systemShare: number;
  /** Runnable, without a processor: share of one thread's time; above 1 for several; null: unknown. */
  waitingShare: number | null;
  /** Share of the samples in which one of them was in uninterruptible sleep (waiting for a device), 0 to 1. */
  deviceShare: number;
}

/** Number of threads reported, busiest first. */
const mostThreads = 14;

/**
 * Where the time of a run went, by the threads of all its processes, the busiest first: the counterpart of the microstate
 * accounting of Erlang's schedulers. For the rest of the time a thread slept.
 */
export function threadStates(windows: readonly ReclaimWindow[]): ThreadStates[] {
  const spanMs = windows.reduce((sum, window) => sum + window.spanMs, 0);
  const samples = windows.filter((window) => window.spanMs > 0).length;
  if (spanMs <= 0) return [];
  const sums = new Map<string, ThreadStates>();
  for (const { system, spanMs: ownMs } of windows) {
    if (ownMs <= 0) continue;
    for (const reading of system.threads) {
      const { type, thread, threads, userMs, systemMs, waitingMs, states } = reading;
      const key = `${type}\n${thread}`;
      const sum = sums.get(key) ?? emptyStates(type, thread);
      sums.set(key, sum);
      sum.threads = Math.max(sum.threads, threads);
      sum.userShare += userMs / spanMs;
      sum.systemShare += systemMs / spanMs;
      sum.waitingShare =
        waitingMs === null || sum.waitingShare === null
          ? null
          : sum.waitingShare + waitingMs / spanMs;
      sum.deviceShare += Number((states['D'] ?? 0) > 0) / samples;
    }
  }
  const busy = ({ userShare, systemShare }: ThreadStates): number => userShare + systemShare;
  return [...sums.values()].toSorted((one, other) => busy(other) - busy(one)).slice(0, mostThreads);
}

function emptyStates(type: string, thread: string): ThreadStates {
  return {
    type,
    thread,
    threads: 0,
    userShare: 0,
    systemShare: 0,
    waitingShare: 0,
    deviceShare: 0,
  };
}
