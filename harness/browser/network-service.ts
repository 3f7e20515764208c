import { existsSync, readdirSync } from 'node:fs';
import { kernelText } from '../kernel-text.ts';
import { runningPids, statFields } from '../processes.ts';

const subType = '--utility-sub-type=network.mojom.NetworkService';

/**
 * The process of a browser that reads its HTTP cache, the network service; null when there is none, for example when it
 * runs in the browser process.
 */
export function networkServicePid(browserPid: number): number | null {
  const parents = runningPids().map(
    (pid) => [pid, Number(statFields(kernelText(`/proc/${pid}/stat`))[1])] as const,
  );
  const family = new Set([browserPid]);
  // A child may have a smaller pid than its parent, so the list is scanned until no process is added.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family].find((pid) => kernelText(`/proc/${pid}/cmdline`).includes(subType)) ?? null;
}

/**
 * Processor time that a process has used so far, all its threads, ms (first number of /proc/PID/task/TID/schedstat,
 * ns); null: the process has exited, or the kernel does not count it. The time of a thread that has exited is lost.
 */
export function processorMs(pid: number): number | null {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return null;
  const threadsNs = readdirSync(tasks)
    .map((tid) => kernelText(`${tasks}/${tid}/schedstat`))
    .filter((text) => text !== '')
    .map((text) => Number(text.split(' ')[0]));
  return threadsNs.length === 0 ? null : threadsNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
