import { existsSync, readdirSync } from 'node:fs';
import { kernelText } from '../kernel-text.ts';
import { familyOf } from '../processes.ts';

const subType = '--utility-sub-type=network.mojom.NetworkService';

/**
 * The process of a browser that reads its HTTP cache, the network service; null when there is none, for example when it
 * runs in the browser process.
 */
export function networkServicePid(browserPid: number): number | null {
  const family = familyOf(browserPid);
  return family.find((pid) => kernelText(`/proc/${pid}/cmdline`).includes(subType)) ?? null;
}

/** Processor time of each thread of a process so far, ns, by thread id. */
export type ThreadTimes = ReadonlyMap<string, number>;

/**
 * Reads the processor time of every thread of a process (first number of /proc/PID/task/TID/schedstat); null: the process
 * has exited, or the kernel does not count it.
 */
export function threadTimes(pid: number): ThreadTimes | null {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return null;
  const texts = readdirSync(tasks).map(
    (tid) => [tid, kernelText(`${tasks}/${tid}/schedstat`)] as const,
  );
  const counted = texts.filter(([, text]) => text !== '');
  if (counted.length === 0) return null;
  return new Map(counted.map(([tid, text]) => [tid, Number(text.split(' ')[0])]));
}

/**
 * Processor time that a process used between two readings, all its threads, ms; null: a reading is missing, or a thread
 * has exited in between, whose share nobody counted.
 */
export function processorMsBetween(
  before: ThreadTimes | null,
  after: ThreadTimes | null,
): number | null {
  if (!before || !after) return null;
  if ([...before.keys()].some((tid) => !after.has(tid))) return null;
  const usedNs = [...after].map(([tid, ns]) => ns - (before.get(tid) ?? 0));
  return usedNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
