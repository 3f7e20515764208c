import { greatest, knownSum } from '../extremes.ts';
import { count } from '../quantity.ts';
import { median } from '../statistics/quantile.ts';
import type { ReclaimWindow, ThreadReading } from './window.ts';

/** What a run took of the machine. Unknown is null. */
export interface ReclaimUsage {
  /** Of the system under load, all its processes, bytes. */
  memory: Usage & { first: number | null };
  entries: Usage;
  bytes: Usage;
  /** Processor time of the system under load, share of one core. */
  cpuShare: number | null;
  /** Of the time in which threads of it, or of the harness, could have run: the share that they waited for a processor. */
  waitingShare: number | null;
  /** Median of the windows' 99 % quantiles and the longest delay, ms. */
  eventLoop: { p99Ms: number | null; maxMs: number | null };
}

/** The largest and the last value of a run. */
type Usage = Record<'most' | 'last', number | null> & Sampled;

/** In how many windows a value is known: a sample that costs much is not taken in every window. */
interface Sampled {
  known: number;
  windows: number;
}

/** " in 70 of 1,200 samples", after a maximum that is not of all windows; empty where it is, or where none is known. */
export function sampledText({ known, windows }: Sampled): string {
  return known === 0 || known === windows ? '' : ` in ${count(known)} of ${count(windows)} samples`;
}

/** The usage of the system under load, over all windows. */
export function reclaimUsage(windows: readonly ReclaimWindow[]): ReclaimUsage {
  const known = (value: (window: ReclaimWindow) => number | null) =>
    windows.map(value).filter((each) => each !== null);
  const most = (values: readonly number[]) => (values.length === 0 ? null : greatest(values));
  const usage = (largest: typeof mostBytes, value = largest): Usage => ({
    most: most(known(largest)),
    last: known(value).at(-1) ?? null,
    known: known(largest).length,
    windows: windows.length,
  });
  const p99 = known(({ system }) => system.eventLoop?.p99Ms ?? null);
  return {
    memory: { first: known(systemMemory)[0] ?? null, ...usage(systemMemory) },
    entries: usage(mostEntries, ({ system }) => system.entries),
    bytes: usage(mostBytes, ({ system }) => system.bytes),
    cpuShare: cpuShareOf(windows),
    waitingShare: waitingShareOf(windows.flatMap(({ system }) => system.threads)),
    eventLoop: {
      p99Ms: median(p99),
      maxMs: most(known(({ system }) => system.eventLoop?.maxMs ?? null)),
    },
  };
}

/** The part of these readings that is of the system under load: without the harness. */
export function ofSystem<Reading extends { type: string }>(readings: readonly Reading[]) {
  return readings.filter(({ type }) => type !== 'harness');
}

/** Memory of all processes of the system under load, bytes; null when one is unknown. */
export function systemMemory({ system }: ReclaimWindow): number | null {
  const own = ofSystem(system.processes);
  return own.length === 0 ? null : knownSum(own.map(({ pssBytes }) => pssBytes));
}

/** The most entries of the cache in a window, or at its end where the maximum is unknown; null: unknown. */
export function mostEntries({ system }: ReclaimWindow): number | null {
  return system.mostEntries ?? system.entries;
}

/** The same for the bytes of the cache. */
export function mostBytes({ system }: ReclaimWindow): number | null {
  return system.mostBytes ?? system.bytes;
}

/** Processor time of threads, ms. */
export function cpuMs(threads: readonly ThreadReading[]): number {
  return threads.reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0);
}

function cpuShareOf(windows: readonly ReclaimWindow[]): number | null {
  const spanMs = windows.reduce((sum, window) => sum + window.spanMs, 0);
  const own = ofSystem(windows.flatMap(({ system }) => system.threads));
  return own.length === 0 || spanMs <= 0 ? null : cpuMs(own) / spanMs;
}

function waitingShareOf(threads: readonly ThreadReading[]): number | null {
  const waitingMs = knownSum(threads.map((thread) => thread.waitingMs));
  const runMs = cpuMs(threads);
  return waitingMs !== null && runMs + waitingMs > 0 ? waitingMs / (runMs + waitingMs) : null;
}

/** States of the threads of one name over a run: each a share of one core, or of the time. */
export interface ThreadStates {
  type: string;
  thread: string;
  /** Largest number of threads with that name at one time. */
  threads: number;
  /** In user mode and in the kernel: share of one core; above 1 for several threads. */
  userShare: number;
  systemShare: number;
  /** Runnable, without a processor: share of one thread's time; above 1 for several; null: unknown. */
  waitingShare: number | null;
  /** Share of the samples in which one of them was in uninterruptible sleep (waiting for a device), 0 to 1. */
  deviceShare: number;
}

/** Number of threads reported, busiest first. */
const mostThreads = 14;

/**
 * Where the time of a run went, by the threads of all its processes, the busiest first: the counterpart of the microstate
 * accounting of Erlang's schedulers. For the rest of the time a thread slept.
 */
export function threadStates(windows: readonly ReclaimWindow[]): ThreadStates[] {
  const own = windows.filter((window) => window.spanMs > 0);
  const spanMs = own.reduce((sum, window) => sum + window.spanMs, 0);
  const readings = own.flatMap(({ system }) => system.threads);
  const named = Map.groupBy(readings, ({ type, thread }) => `${type}\n${thread}`);
  const states = [...named].map(([key, group]): ThreadStates => {
    const [type = '', thread = ''] = key.split('\n');
    const sum = (value: (reading: ThreadReading) => number) =>
      group.reduce((total, reading) => total + value(reading), 0);
    return {
      type,
      thread,
      threads: greatest(group.map(({ threads }) => threads)),
      userShare: sum(({ userMs }) => userMs / spanMs),
      systemShare: sum(({ systemMs }) => systemMs / spanMs),
      waitingShare: knownSum(
        group.map(({ waitingMs }) => (waitingMs === null ? null : waitingMs / spanMs)),
      ),
      deviceShare: sum((reading) => Number((reading.states['D'] ?? 0) > 0) / own.length),
    };
  });
  const busy = ({ userShare, systemShare }: ThreadStates): number => userShare + systemShare;
  return states.toSorted((one, other) => busy(other) - busy(one)).slice(0, mostThreads);
}
