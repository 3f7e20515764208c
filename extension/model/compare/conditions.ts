import type { ConditionDifference } from './run.ts';
import type { RunBase } from '../run/base.ts';

/** Conditions of a run in words, by name. */
export type Conditions = Readonly<Record<string, string>>;

/** Conditions that affect the measured values. */
export function conditionsOf({ environment }: RunBase): Conditions {
  const { chromium, kernel, storage, link = 'none', cpu, cores } = environment;
  return {
    chromium: chromium.version,
    flags: chromium.flags.filter(isSame).toSorted().join(' '),
    kernel,
    storage,
    link,
    machine: `${cpu}, ${cores} cores`,
  };
}

/** False for directories, ports and the address of a link, which differ from run to run. */
function isSame(flag: string): boolean {
  return !/^--(user-data-dir|disk-cache-dir|load-extension|remote-debugging-\w+|host-resolver-rules)=/.test(
    flag,
  );
}

/** Circumstances that are reported but hardly affect the measured values. */
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

/** Differences between two sets of conditions; a condition that only one set has counts as a difference. */
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
