import { readdirSync, readFileSync } from 'node:fs';

/** A process, and what it is for. */
export interface TypedProcess {
  /** `origin`, `harness`, or Chromium's own words: `browser`, `renderer`, `utility NetworkService`. */
  type: string;
  pid: number;
}

/**
 * A process of Chromium and all that it has started, by their types (`--type`, `--utility-sub-type`). Processes that end
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
      // It has ended.
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

/** Words of a command line are separated by NUL, or by spaces where the process has rewritten it. */
function typeOf(commandLine: string): string {
  const type = /[\0 ]--type=([^\0 ]+)/.exec(commandLine)?.[1];
  if (type === undefined) return 'browser';
  const subType = /[\0 ]--utility-sub-type=(?:[^\0 ]*\.)?([^\0 .]+)/.exec(commandLine)?.[1];
  return subType === undefined ? type : `${type} ${subType}`;
}
