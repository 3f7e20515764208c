import { systemMemory } from './memory-claim.ts';
import type { ReclaimWindow } from './window.ts';

/** What a run took of the machine. Unknown is null. */
export interface ReclaimUsage {
  /** Of the system under load, all its processes, bytes. */
  memory: { first: number | null; most: number | null; last: number | null };
  entries: { most: number | null; last: number | null };
  bytes: { most: number | null; last: number | null };
  /** Processor time of the system under load, share of one core. */
  cpuShare: number | null;
  /** Of the time in which threads of it, or of the harness, could have run: the share that they waited for a processor. */
  waitingShare: number | null;
  /** Median of the windows' medians and the longest delay, ms. */
  eventLoop: { p99Ms: number | null; maxMs: number | null };
}

/** The usage of the system under load, over all windows. */
export function reclaimUsage(windows: readonly ReclaimWindow[]): ReclaimUsage {
  const known = (value: (window: ReclaimWindow) => number | null) =>
    windows.map(value).filter((each) => each !== null);
  const memory = known(systemMemory);
  const entries = known(({ system }) => system.mostEntries ?? system.entries);
  const bytes = known(({ system }) => system.mostBytes ?? system.bytes);
  const p99 = known(({ system }) => system.eventLoop?.p99Ms ?? null);
  const longest = known(({ system }) => system.eventLoop?.maxMs ?? null);
  return {
    memory: { first: memory[0] ?? null, most: greatest(memory), last: memory.at(-1) ?? null },
    entries: {
      most: greatest(entries),
      last: known(({ system }) => system.entries).at(-1) ?? null,
    },
    bytes: { most: greatest(bytes), last: known(({ system }) => system.bytes).at(-1) ?? null },
    cpuShare: cpuShareOf(windows),
    waitingShare: waitingShareOf(windows),
    eventLoop: {
      p99Ms: p99.toSorted((one, other) => one - other)[Math.floor(p99.length / 2)] ?? null,
      maxMs: greatest(longest),
    },
  };
}

function greatest(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));
}

function cpuShareOf(windows: readonly ReclaimWindow[]): number | null {
  const spanMs = windows.reduce((sum, window) => sum + window.spanMs, 0);
  const own = windows.flatMap(({ system }) =>
    system.threads.filter(({ type }) => type !== 'harness'),
  );
  if (own.length === 0 || spanMs <= 0) return null;
  return own.reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0) / spanMs;
}

function waitingShareOf(windows: readonly ReclaimWindow[]): number | null {
  const threads = windows.flatMap(({ system }) => system.threads);
  const waiting = threads.map(({ waitingMs }) => waitingMs).filter((each) => each !== null);
  if (waiting.length === 0 || waiting.length < threads.length) return null;
  const waitingMs = waiting.reduce((sum, each) => sum + each, 0);
  const runMs = threads.reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0);
  return runMs + waitingMs > 0 ? waitingMs / (runMs + waitingMs) : null;
}
