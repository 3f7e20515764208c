import type { MicroCell, MicroSlice } from './micro-slice.ts';

/** A slice for tests: hits of 50 bytes from disk, 100 runs of 1 ms, unless told otherwise. */
export function madeUpSlice(
  cell: Partial<MicroCell> = {},
  slice: Partial<Omit<MicroSlice, 'cell'>> = {},
): MicroSlice {
  return {
    sequence: 0,
    cell: {
      part: 'table',
      cache: 'disk',
      row: 'hit',
      bytes: 50,
      state: 'running',
      storage: 'none',
      delayMs: 0,
      ...cell,
    },
    launch: 0,
    takenAt: '2026-11-20T23:00:00.000Z',
    timerStepMs: 0.005,
    totalMs: 100,
    runs: 100,
    batch: 1,
    batchUs: [1000],
    counts: [100],
    found: 100,
    requests: 0,
    device: null,
    flags: [],
    ...slice,
  };
}
