import { readdirSync, readFileSync } from 'node:fs';

/** A process and its type. */
export interface TypedProcess {
  /** `origin`, `harness`, or Chromium's own names: `browser`, `renderer`, `utility NetworkService`. */
  type: string;
  pid: number;
}

/**
 * A process of Chromium and all its descendants, with their types (`--type`, `--utility-sub-type`). Processes that exit
 * meanwhile are left out; empty when the first is gone.
 */
export function chromiumProcesses(browserPid: number, proc = '/proc'): TypedProcess[] {
  const found: TypedProcess[] = [];
  const pids = [browserPid];
  for (const pid of pids) {
    try {
      const commandLine = readFileSync(`${proc}/${pid}/cmdline`, 'utf8');
      found.push({ type: typeOf(commandLine), pid });
      pids.push(...childrenOf(pid, proc));
    } catch {
      // It has exited.
    }
  }
  return found;
}

/** Any thread can have started a child. */
function childrenOf(pid: number, proc: string): number[] {
  return readdirSync(`${proc}/${pid}/task`).flatMap((thread) =>
    readFileSync(`${proc}/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((text) => text.trim() !== '')
      .map(Number),
  );
}

/** Arguments of a command line are separated by NUL, or by spaces where the process has rewritten it. */
function typeOf(commandLine: string): string {
  const type = /[\0 ]--type=([^\0 ]+)/.exec(commandLine)?.[1];
  if (type === undefined) return 'browser';
  const subType = /[\0 ]--utility-sub-type=(?:[^\0 ]*\.)?([^\0 .]+)/.exec(commandLine)?.[1];
  return subType === undefined ? type : `${type} ${subType}`;
}
