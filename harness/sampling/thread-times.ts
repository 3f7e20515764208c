import { readdirSync, readFileSync } from 'node:fs';
import type { ThreadReading } from '@cachescope/model/reclaim/window.ts';
import { kernelText } from '../kernel-text.ts';
import { statFields } from '../processes.ts';
import type { TypedProcess } from './process-tree.ts';

/**
 * The kernel reports times in /proc in hundredths of a second, independent of its own tick (USER_HZ, proc_pid_stat(5)).
 */
const tickMs = 10;

/** The times of a thread since it started. */
export interface ThreadTimes {
  /** Name of the thread, at most 15 characters. */
  name: string;
  /** R running or runnable, S sleeping, D waiting for a device ... (proc_pid_stat(5)). */
  state: string;
  userMs: number;
  systemMs: number;
  /** Runnable but waiting for a processor; null when the kernel does not count it. */
  waitingMs: number | null;
  /** Distinguishes threads with the same id: start time, in ticks since boot. */
  startedAt: number;
}

/** Parses a line of /proc/PID/task/TID/stat. A name may contain spaces and parentheses: it ends at the last one. */
export function parseThreadStat(line: string): Omit<ThreadTimes, 'waitingMs'> {
  const name = line.slice(line.indexOf('(') + 1, line.lastIndexOf(')'));
  const fields = statFields(line);
  // The first of them is field 3 of the manual.
  const field = (number: number): number => Number(fields[number - 3]);
  const userMs = field(14) * tickMs;
  return {
    name,
    state: fields[0] ?? '?',
    userMs,
    systemMs: field(15) * tickMs,
    startedAt: field(22),
  };
}

/** Parses /proc/PID/task/TID/schedstat: time on a processor, time waiting for one (both ns), number of time slices. */
export function parseWaitingMs(line: string): number | null {
  const waitedNs = Number(line.split(' ')[1] ?? Number.NaN);
  return Number.isFinite(waitedNs) ? waitedNs / 1e6 : null;
}

/** Name of a thread without its number: `ThreadPoolForeg`, `node`, `libuv-worker`. */
export function threadGroup(name: string): string {
  return name.replace(/[\s/:#_-]*\d+$/, '') || name;
}

/** Differences between calls for all threads of some processes. */
export class ThreadWatch {
  readonly #proc: string;
  #last = new Map<string, ThreadTimes>();

  constructor(proc = '/proc') {
    this.#proc = proc;
  }

  /**
   * Times of threads since the previous call, by the type of their process and their name; idle sleeping threads are
   * left out. If a thread exits between two calls, its times since the first are lost. The first call reports nothing.
   */
  take(processes: readonly TypedProcess[]): ThreadReading[] {
    const isFirst = this.#last.size === 0;
    const now = new Map<string, ThreadTimes>();
    const groups = new Map<string, ThreadReading>();
    for (const { type, pid } of processes)
      for (const [id, times] of this.#threadsOf(pid)) {
        now.set(id, times);
        addTo(groups, type, times, this.#last.get(id));
      }
    this.#last = now;
    return isFirst ? [] : [...groups.values()].filter(hasDoneSomething);
  }

  #threadsOf(pid: number): [id: string, times: ThreadTimes][] {
    const directory = `${this.#proc}/${pid}/task`;
    try {
      return readdirSync(directory).flatMap((tid) => readThread(`${directory}/${tid}`));
    } catch {
      return [];
    }
  }
}

/** Empty when the thread has exited. */
function readThread(directory: string): [id: string, times: ThreadTimes][] {
  try {
    const stat = parseThreadStat(readFileSync(`${directory}/stat`, 'utf8'));
    // Kernels without CONFIG_SCHED_INFO have no such file.
    const waitingMs = parseWaitingMs(kernelText(`${directory}/schedstat`));
    return [[`${directory} ${stat.startedAt}`, { ...stat, waitingMs }]];
  } catch {
    return [];
  }
}

function addTo(
  groups: Map<string, ThreadReading>,
  type: string,
  times: ThreadTimes,
  before: ThreadTimes | undefined,
): void {
  const thread = threadGroup(times.name);
  const key = `${type} ${thread}`;
  const group = groups.get(key) ?? emptyGroup(type, thread);
  groups.set(key, group);
  group.threads++;
  group.userMs += times.userMs - (before?.userMs ?? 0);
  group.systemMs += times.systemMs - (before?.systemMs ?? 0);
  group.waitingMs =
    group.waitingMs === null || times.waitingMs === null
      ? null
      : group.waitingMs + times.waitingMs - (before?.waitingMs ?? 0);
  group.states[times.state] = (group.states[times.state] ?? 0) + 1;
}

function emptyGroup(type: string, thread: string): ThreadReading {
  return { type, thread, threads: 0, userMs: 0, systemMs: 0, waitingMs: 0, states: {} };
}

/** Less than a thousandth of a second is noise of the kernel's own work. */
function hasDoneSomething({ userMs, systemMs, waitingMs, states }: ThreadReading): boolean {
  if (userMs + systemMs > 0 || (waitingMs ?? 0) >= 1) return true;
  return Object.keys(states).some((state) => state !== 'S');
}
