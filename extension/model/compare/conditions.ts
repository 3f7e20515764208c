import type { RunBase } from '../run/base.ts';

/** Something in which two runs are not alike. */
export interface ConditionDifference {
  /** For example `chromium`, `kernel`, `storage`. */
  condition: string;
  /** As it was in the first run and in the second. */
  against: string;
  of: string;
  /** A figure may differ for this alone, so it must be what the comparison is about, or the comparison says nothing. */
  matters: boolean;
}

/** Conditions of a run in words, each under a name. */
export type Conditions = Readonly<Record<string, string>>;

/** What the figures depend on. */
export function conditionsOf({ environment }: RunBase): Conditions {
  const { chromium, kernel, storage, cpu, cores } = environment;
  return {
    chromium: chromium.version,
    flags: chromium.flags.filter(isSame).toSorted().join(' '),
    kernel,
    storage,
    machine: `${cpu}, ${cores} cores`,
  };
}

/** Directories differ from run to run. */
function isSame(flag: string): boolean {
  return !/^--(user-data-dir|disk-cache-dir|load-extension|remote-debugging-\w+)=/.test(flag);
}

/** What is told, and can hardly move a figure. */
export function circumstancesOf({ environment, tool, status }: RunBase): Conditions {
  const { node, os, memoryBytes } = environment;
  return {
    os,
    memory: `${Math.round(memoryBytes / 1024 ** 3)} GiB`,
    node,
    cachescope: tool.version,
    status,
  };
}

/** Where two sets of conditions are not alike; one that only one of them has differs too. */
export function differencesBetween(
  against: Conditions,
  of: Conditions,
  matters: boolean,
): ConditionDifference[] {
  const names = [...new Set([...Object.keys(against), ...Object.keys(of)])];
  return names.flatMap((condition) => {
    const [first = 'not known', second = 'not known'] = [against[condition], of[condition]];
    return first === second ? [] : [{ condition, against: first, of: second, matters }];
  });
}
