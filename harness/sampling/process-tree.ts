import { kernelText } from '../kernel-text.ts';
import { familyOf } from '../processes.ts';

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
  return familyOf(browserPid, proc).flatMap((pid) => {
    const commandLine = kernelText(`${proc}/${pid}/cmdline`);
    return commandLine === '' ? [] : [{ type: typeOf(commandLine), pid }];
  });
}

/** Arguments of a command line are separated by NUL, or by spaces where the process has rewritten it. */
function typeOf(commandLine: string): string {
  const type = /[\0 ]--type=([^\0 ]+)/.exec(commandLine)?.[1];
  if (type === undefined) return 'browser';
  const subType = /[\0 ]--utility-sub-type=(?:[^\0 ]*\.)?([^\0 .]+)/.exec(commandLine)?.[1];
  return subType === undefined ? type : `${type} ${subType}`;
}
