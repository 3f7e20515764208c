import type { TimedRuns } from '@cachescope/model/micro/task.ts';

// The functions of this file run in a page: they are sent as text, and so may use nothing but each other.

/** How long runs are repeated. */
export interface LoopLimits {
  /** No run begins after this time, ms. */
  timeMs: number;
  /** null: only the time limits them. */
  mostRuns: number | null;
}

/** Smallest difference that the clock shows, ms. */
export function timerStepOf(now: () => number): number {
  let smallest = Number.POSITIVE_INFINITY;
  let last = now();
  for (let seen = 0; seen < 50;) {
    const time = now();
    if (time === last) continue;
    smallest = Math.min(smallest, time - last);
    last = time;
    seen++;
  }
  return Math.round(smallest * 1e6) / 1e6;
}

/**
 * How many runs go between two looks at the clock, so that a batch lasts a hundred of its steps and the step is at most a
 * hundredth of it. 1 when a single run lasts as long. The first batch of a size may be slow for another reason, so the
 * quickest of three counts.
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
 * Runs something again and again for a set time. `run` gets the number of the run and tells whether it found what it
 * looked for. The runs of a batch that is not full are not counted.
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
