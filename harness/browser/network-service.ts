import { existsSync, readdirSync, readFileSync } from 'node:fs';

const subType = '--utility-sub-type=network.mojom.NetworkService';

interface Process {
  pid: number;
  parent: number;
}

/** Every running process of this machine. */
function processes(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const stat = textOf(`/proc/${pid}/stat`);
    // The program's name may contain spaces and parentheses; state and parent follow its last parenthesis (proc(5)).
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return parent === undefined ? [] : [{ pid: Number(pid), parent: Number(parent) }];
  });
}

/** Empty when the process has exited. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The process of a browser that reads its HTTP cache, the network service; null when there is none, for example when it
 * runs in the browser process.
 */
export function networkServicePid(browserPid: number): number | null {
  const all = processes();
  const family = new Set([browserPid]);
  // A child may have a smaller pid than its parent, so the list is scanned until no process is added.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return [...family].find((pid) => textOf(`/proc/${pid}/cmdline`).includes(subType)) ?? null;
}

/**
 * Processor time that a process has used so far, all its threads, ms (first number of /proc/PID/task/TID/schedstat,
 * ns); null: the process has exited, or the kernel does not count it. The time of a thread that has exited is lost.
 */
export function processorMs(pid: number): number | null {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return null;
  const threadsNs = readdirSync(tasks)
    .map((tid) => textOf(`${tasks}/${tid}/schedstat`))
    .filter((text) => text !== '')
    .map((text) => Number(text.split(' ')[0]));
  return threadsNs.length === 0 ? null : threadsNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}
