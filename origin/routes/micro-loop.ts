import type { TimedRuns } from '@cachescope/model/micro/task.ts';

// The functions of this file run in a page: they are sent as text, and so may refer only to each other.

/** Limits of a repetition of runs. */
export interface LoopLimits {
  /** No run starts after this time, ms. */
  timeMs: number;
  /** null: limited only by time. */
  mostRuns: number | null;
}

/**
 * Number of runs in a batch between two clock readings: a batch lasts at least 100 clock steps, so the resolution is at
 * most 1 % of it. 1 when a single run lasts that long. A batch may be slow for other reasons, so the fastest of three
 * counts.
 */
export async function batchOf(
  now: () => number,
  run: () => Promise<boolean>,
  timerStepMs: number,
): Promise<number> {
  for (let batch = 1; ; batch *= 2) {
    let quickest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3; attempt++) {
      const start = now();
      for (let index = 0; index < batch; index++) await run();
      quickest = Math.min(quickest, now() - start);
    }
    if (quickest >= 100 * timerStepMs || batch >= 1e6) return batch;
  }
}

/**
 * Repeats `run` for a given time. `run` gets the index of the run and returns whether it found its entry. Runs are made
 * in full batches, and at least one batch is made.
 */
export async function timeRuns(
  now: () => number,
  run: (index: number) => Promise<boolean>,
  limits: LoopLimits,
  batch: number,
): Promise<TimedRuns> {
  const counted = new Map<number, number>();
  const mostRuns = limits.mostRuns ?? Number.POSITIVE_INFINITY;
  let runs = 0;
  let found = 0;
  const start = now();
  let end = start;
  while (runs === 0 || (end - start < limits.timeMs && runs + batch <= mostRuns)) {
    const batchStart = now();
    for (let index = 0; index < batch; index++) if (await run(runs + index)) found++;
    end = now();
    runs += batch;
    const us = Math.round((end - batchStart) * 1000);
    counted.set(us, (counted.get(us) ?? 0) + 1);
  }
  const lengths = [...counted].toSorted((one, other) => one[0] - other[0]);
  return {
    totalMs: end - start,
    runs,
    batch,
    batchUs: lengths.map((entry) => entry[0]),
    counts: lengths.map((entry) => entry[1]),
    found,
  };
}
