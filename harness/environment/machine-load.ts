import { joinedLoad, type MachineLoad } from '@cachescope/model/run/machine-load.ts';
import { machineFiles, type MachineFiles } from './machine-files.ts';

/** The machine's counters at one moment; null: the kernel does not report it. */
interface Counters {
  /** Monotonic and wall time, ms. */
  atMs: number;
  wallMs: number;
  /** Ticks of all processors: in all, busy, and taken by the host. */
  ticks: { all: number; busy: number; steal: number } | null;
  /** Ticks of the processes of this program, and of the kernel's threads. */
  own: number;
  /** Time in which a task waited, µs. */
  cpuWaitUs: number | null;
  memoryWaitUs: number | null;
}

/** `cpu` of /proc/stat (proc_stat(5)): user, nice, system, idle, iowait, irq, softirq, steal. Guest time is part of user. */
function processorTicks(files: MachineFiles): Counters['ticks'] {
  const numbers = /^cpu +(.*)/
    .exec(files.text('/proc/stat') ?? '')?.[1]
    ?.split(' ')
    .map(Number);
  if (!numbers || numbers.length < 8 || numbers.some(Number.isNaN)) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, soft = 0, steal = 0] =
    numbers;
  const busy = user + nice + system + irq + soft;
  return { all: busy + idle + iowait + steal, busy, steal };
}

/** Ticks that a process and the children that it has waited for have used, and its parent (proc_pid_stat(5)). */
function processTicks(stat: string): { parent: number; ticks: number } | null {
  // The name may contain spaces and parentheses.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  if (parent === undefined || user === undefined || system === undefined) return null;
  return { parent, ticks: user + system + (childUser ?? 0) + (childSystem ?? 0) };
}

/** The parent of all threads of the kernel, which work for the run's disks as for others. */
const kernelParent = 2;

/** Ticks of this program, all processes that it started, and the kernel's threads. */
function ownTicks(files: MachineFiles, own: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of files.names('/proc') ?? []) {
    const stat = /^\d+$/.test(name) ? files.text(`/proc/${name}/stat`) : null;
    const process = stat === null ? null : processTicks(stat);
    if (process) processes.set(Number(name), process);
  }
  const isOwn = (pid: number): boolean => {
    // A number may be used again while the processes are read: a chain of parents must end.
    for (let [at, depth] = [pid, 0]; at > 1 && depth < 100; depth++) {
      if (at === own || at === kernelParent) return true;
      at = processes.get(at)?.parent ?? 0;
    }
    return false;
  };
  return [...processes].reduce((sum, [pid, { ticks }]) => sum + (isOwn(pid) ? ticks : 0), 0);
}

/** `some` of a pressure file: its total, µs (Documentation/accounting/psi.rst). */
function waitUs(files: MachineFiles, resource: string): number | null {
  const total = /^some .*total=(\d+)/m.exec(files.text(`/proc/pressure/${resource}`) ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

function readCounters(files: MachineFiles, own: number): Counters {
  return {
    atMs: performance.now(),
    wallMs: Date.now(),
    ticks: processorTicks(files),
    own: ownTicks(files, own),
    cpuWaitUs: waitUs(files, 'cpu'),
    memoryWaitUs: waitUs(files, 'memory'),
  };
}

/** Part of a whole as a share, 0 to 1: counters of different files are read one after another. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : null;
}

function waitShare(before: number | null, after: number | null, spanMs: number): number | null {
  return before === null || after === null ? null : shareOf((after - before) / 1000, spanMs);
}

function loadBetween(
  before: Counters,
  after: Counters,
  { measuringMs, loadAverage }: Pick<MachineLoad, 'measuringMs' | 'loadAverage'>,
): MachineLoad {
  const spanMs = after.atMs - before.atMs;
  const [one, other] = [before.ticks, after.ticks];
  const all = one && other ? other.all - one.all : 0;
  return {
    startedAt: new Date(before.wallMs).toISOString(),
    spanMs,
    measuringMs,
    othersShare: one && other && shareOf(other.busy - one.busy - (after.own - before.own), all),
    stealShare: one && other && shareOf(other.steal - one.steal, all),
    cpuPressure: waitShare(before.cpuWaitUs, after.cpuWaitUs, spanMs),
    memoryPressure: waitShare(before.memoryWaitUs, after.memoryWaitUs, spanMs),
    loadAverage,
    clockJumpMs: after.wallMs - before.wallMs - spanMs,
  };
}

/** A span lasts at least this long, ms, and 100 times as long as it takes to read the counters. */
const shortestSpanMs = 1000;
const costShare = 0.01;
/** More spans than these are joined in pairs. */
const mostSpans = 64;

/** Records what the machine does between the measurements of a run. */
export interface LoadRecorder {
  /** To be called after a measurement, which took this long, ms. True: a span has ended. */
  note(measuringMs: number): boolean;
  /** Ends the last span. */
  end(): void;
}

/** Starts to record; each span is added to `loads`, which stays short: earlier spans are joined. */
export function recordLoad(
  loads: MachineLoad[],
  files: MachineFiles = machineFiles(),
  own = process.pid,
): LoadRecorder {
  let measuringMs = 0;
  let hasNoted = false;
  let leastMs = shortestSpanMs;
  let costMs = 0;
  let before = countersWithCost();

  /** The cost is processor time: on a busy machine reading also waits. */
  function countersWithCost(): Counters {
    const start = process.cpuUsage();
    const counters = readCounters(files, own);
    const { user, system } = process.cpuUsage(start);
    costMs = (user + system) / 1000;
    return counters;
  }

  function endSpan(): void {
    const after = countersWithCost();
    const average = Number.parseFloat(files.text('/proc/loadavg') ?? '');
    const loadAverage = Number.isNaN(average) ? null : average;
    loads.push(loadBetween(before, after, { measuringMs, loadAverage }));
    if (loads.length > mostSpans) {
      loads.splice(0, loads.length, ...inPairs(loads));
      leastMs *= 2;
    }
    before = after;
    measuringMs = 0;
    hasNoted = false;
  }

  return {
    note(ms) {
      measuringMs += ms;
      hasNoted = true;
      const spanMs = performance.now() - before.atMs;
      if (spanMs < Math.max(leastMs, costMs / costShare)) return false;
      endSpan();
      return true;
    },
    end() {
      if (hasNoted) endSpan();
    },
  };
}

function inPairs(loads: readonly MachineLoad[]): MachineLoad[] {
  return loads.flatMap((load, place) => {
    if (place % 2 === 1) return [];
    const next = loads[place + 1];
    return [next ? joinedLoad(load, next) : load];
  });
}
