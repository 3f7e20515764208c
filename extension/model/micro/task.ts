import type { MicroCache } from './cache.ts';
import type { MicroSlice } from './slice.ts';

/** The numbers that replace `{key}` in the runs of a task: run i has `from + (i * stride) mod count`. */
export interface Keys {
  from: number;
  count: number;
  /** Coprime to `count`, so that every key is used before any is repeated. */
  stride: number;
}

/**
 * The next task of a page. The page runs it without any instrumentation, and reports the result at the end.
 *
 * `time`: repeats an action. `populate`: reads many keys in parallel, untimed. `clear`: empties the cache once.
 */
export type MicroTask =
  | {
      kind: 'time';
      cache: MicroCache;
      /** `search` looks for a key without going to the network (only-if-cached). */
      action: 'nothing' | 'clear' | 'clear and read' | 'read' | 'search';
      /** Path with the placeholder `{key}`. */
      url: string;
      keys: Keys;
      /** No run starts after this time, ms; there is at least one run. */
      timeMs: number;
      /** Maximum number of runs; null: only the time limits them. */
      mostRuns: number | null;
      /** Number of untimed runs before; they use keys too. */
      warmUpRuns: number;
      /** Short runs may be timed in batches; untimed runs determine the batch size. */
      mayBatch: boolean;
    }
  | { kind: 'populate'; cache: MicroCache; url: string; keys: Keys; parallel: number }
  | { kind: 'clear'; cache: MicroCache }
  | { kind: 'end' };

export type TimeTask = Extract<MicroTask, { kind: 'time' }>;

/** A task that times reads, by default without a warm-up, without batches, and limited by its time only. */
export function timedReads(
  task: Pick<TimeTask, 'cache' | 'url' | 'keys' | 'timeMs'> & Partial<TimeTask>,
): TimeTask {
  const defaults = { mostRuns: null, warmUpRuns: 0, mayBatch: false };
  return { kind: 'time', action: 'read', ...defaults, ...task };
}

/** Measurement of a page. Times are counted by duration in whole µs; the clock's steps are 5 µs, so nothing is lost. */
export type TimedRuns = Pick<
  MicroSlice,
  'totalMs' | 'runs' | 'batch' | 'batchUs' | 'counts' | 'found'
>;

/** A message of a page: that it is ready, or the result of its task. */
export type MicroMessage =
  | { kind: 'ready'; timerStepMs: number; crossOriginIsolated: boolean }
  | { kind: 'done'; timed: TimedRuns | null }
  | { kind: 'failed'; reason: string };
