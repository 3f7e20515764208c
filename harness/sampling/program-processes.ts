import { closeSync, openSync, readSync } from 'node:fs';
import { kernelText } from '../kernel-text.ts';
import { programOf, runningPids, statFields } from '../processes.ts';
import { frozenFileOf, isFrozen } from './control-group.ts';
import type { Suspension } from './suspension.ts';

/** A process, with its file in /proc kept open: reading an open one takes 2 µs, opening it 60. */
interface WatchedProcess {
  stat: number;
  /** The file that says whether its control group is frozen; null: there is none. */
  frozenFile: string | null;
}

const buffer = Buffer.alloc(1024);

/** State of a process (proc_pid_stat(5)); empty when it has exited. */
function stateOf(stat: number): string {
  try {
    const text = buffer.toString('latin1', 0, readSync(stat, buffer, 0, buffer.length, 0));
    return statFields(text)[0] ?? '';
  } catch {
    return '';
  }
}

/** The processes that a process has started, and those that they have started: which of them are stopped or frozen. */
export class ProgramProcesses {
  readonly #first: number;
  readonly #own = new Map<number, WatchedProcess>();
  readonly #others = new Set<number>();

  constructor(first: number) {
    this.#first = first;
  }

  /** Finds the processes that have started or ended since the last call. `servers` are watched too. */
  refresh(servers: readonly number[]): void {
    const running = runningPids();
    const now = new Set(running);
    for (const pid of this.#others) if (!now.has(pid)) this.#others.delete(pid);
    for (const pid of this.#own.keys()) if (!now.has(pid)) this.#forget(pid);
    const isOwn = (pid: number) => pid === this.#first || this.#own.has(pid);
    for (const pid of servers) if (now.has(pid) && !isOwn(pid)) this.#add(pid);
    const fresh = running
      .filter((pid) => !isOwn(pid) && !this.#others.has(pid))
      .map((pid) => [pid, parentOf(pid)] as const);
    // A child may have a smaller pid than its parent, so the list is scanned until no process is added.
    for (let size = -1; size < this.#own.size;) {
      size = this.#own.size;
      for (const [pid, parent] of fresh) if (isOwn(parent) && !isOwn(pid)) this.#add(pid);
    }
    for (const [pid] of fresh) if (!isOwn(pid)) this.#others.add(pid);
    for (const [pid, process] of this.#own)
      process.frozenFile = frozenFileOf(kernelText(`/proc/${pid}/cgroup`));
  }

  halted(): Pick<Suspension, 'who' | 'how'>[] {
    const files = new Set([...this.#own.values()].flatMap(({ frozenFile }) => frozenFile ?? []));
    const frozen = new Set([...files].filter(isFrozen));
    return [...this.#own].flatMap(([pid, { stat, frozenFile }]) => {
      const how = this.#isStopped(pid, stateOf(stat))
        ? 'stopped'
        : frozenFile !== null && frozen.has(frozenFile) && 'frozen';
      return how ? [{ who: nameOf(pid), how }] : [];
    });
  }

  /**
   * A tracer that this program started is a witness; another one, such as a debugger, disturbs. State and tracer are read
   * again, together: a process that its tracer lets go has none.
   */
  #isStopped(pid: number, state: string): boolean {
    if (state !== 't') return state === 'T';
    const status = kernelText(`/proc/${pid}/status`);
    const tracer = Number(/^TracerPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
    return /^State:\s+t/m.test(status) && tracer !== 0 && !this.#isDescendant(tracer);
  }

  /** Also of a process that has started since the last refresh. */
  #isDescendant(pid: number): boolean {
    if (pid === this.#first || this.#own.has(pid)) return true;
    const parent = parentOf(pid);
    return parent > 1 && this.#isDescendant(parent);
  }

  #add(pid: number): void {
    try {
      const stat = openSync(`/proc/${pid}/task/${pid}/stat`, 'r');
      this.#own.set(pid, { stat, frozenFile: null });
    } catch {
      // It has just exited.
    }
  }

  #forget(pid: number): void {
    const process = this.#own.get(pid);
    if (process) closeSync(process.stat);
    this.#own.delete(pid);
  }
}

/** 0: it has exited. */
function parentOf(pid: number): number {
  return Number(statFields(kernelText(`/proc/${pid}/stat`))[1] ?? 0);
}

/** For people: Chromium's own name of the process, else its program. */
function nameOf(pid: number): string {
  const commandLine = kernelText(`/proc/${pid}/cmdline`);
  const subType = /[\0 ]--utility-sub-type=(?:[^\0 ]*\.)?([^\0 .]+)/.exec(commandLine)?.[1];
  const type = subType ?? /[\0 ]--type=([^\0 ]+)/.exec(commandLine)?.[1];
  return `${type ?? programOf(pid)} (process ${pid})`;
}
