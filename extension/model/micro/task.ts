import type { MicroCache } from './cache.ts';

/** Which numbers the runs of a task put in place of `{key}`: run i has `from + (i * stride) mod count`. */
export interface Keys {
  from: number;
  count: number;
  /** Without a common factor with `count`, so that all keys come before one comes again. */
  stride: number;
}

/**
 * What a page is to do next. It does it by itself, unwatched, and hands over the outcome when it is done.
 *
 * `time`: runs an action again and again. `fill`: reads many keys in parallel, untimed. `clear`: empties the cache once.
 */
export type MicroTask =
  | {
      kind: 'time';
      cache: MicroCache;
      /** `search` looks for a key without going to the network (only-if-cached). */
      action: 'nothing' | 'clear' | 'clear and read' | 'read' | 'search';
      /** Path with `{key}` in place of the key. */
      url: string;
      keys: Keys;
      /** No run begins after this time, ms; at least one run is made. */
      timeMs: number;
      /** No more runs than this; null: only the time limits them. */
      mostRuns: number | null;
      /** Untimed runs before; they use keys too. */
      warmUpRuns: number;
      /** Runs may be timed in batches, if they are short; how long a batch must be is found by untimed runs. */
      mayBatch: boolean;
    }
  | { kind: 'fill'; cache: MicroCache; url: string; keys: Keys; parallel: number }
  | { kind: 'clear'; cache: MicroCache }
  | { kind: 'end' };

/** What a page measured. Times are counted by their length in whole µs: the clock's steps are 5 µs, so nothing is lost. */
export interface TimedRuns {
  /** From the start of the first run to the end of the last, ms. */
  totalMs: number;
  runs: number;
  /** Runs between two looks at the clock; above 1 where one run is too short for its steps. */
  batch: number;
  /** Lengths of a batch, µs, rising, and how often each came. */
  batchUs: number[];
  counts: number[];
  /** Runs in which something was found or read. */
  found: number;
}

/** What a page hands over: that it is there, or how its task went. */
export type MicroMessage =
  | { kind: 'ready'; timerStepMs: number; crossOriginIsolated: boolean }
  | { kind: 'done'; timed: TimedRuns | null }
  | { kind: 'failed'; reason: string };
