import { type MicroCell, microCellKey, type MicroSlice } from './slice.ts';
import { createRandom } from '../statistics/random.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { quantile } from '../statistics/quantile.ts';
import { type Reading, valuesOf } from '../statistics/readings.ts';

/** What the runs of one cell took. Times in ms; null is unknown. */
export interface MicroFigure {
  cell: MicroCell;
  runs: number;
  /** Sum over the slices, from first start to last end. */
  totalMs: number;
  /** As in the document: total time by number of runs. */
  averageMs: number | null;
  medianMs: number | null;
  /** 95 % interval of the median. */
  lowMs: number | null;
  highMs: number | null;
  /** Of batches where a run was too short to be timed alone. */
  p95Ms: number | null;
  /** Runs between two looks at the clock; the greatest of all slices. */
  batch: number;
  /** What one step of the clock amounts to in one run, ms. */
  resolutionMs: number;
  /** The median is below two such steps: only that it is small is known. */
  belowResolution: boolean;
  launches: number;
  /** Slices left out because witnesses disagreed. */
  flagged: number;
}

/** Readings of one cell that are kept; a run of hours stays below. */
const mostReadings = 2_000_000;

/** Every time of a slice, ms a run, each with its launch. Of more than fit the memory an even share. */
export function readingsOf(slices: readonly MicroSlice[]): Reading[] {
  const total = slices.reduce(
    (sum, { counts }) => counts.reduce((part, count) => part + count, sum),
    0,
  );
  const share = Math.min(1, mostReadings / Math.max(1, total));
  return slices.flatMap(({ batchUs, counts, batch, launch }) =>
    batchUs.flatMap((us, index) => {
      const reading = { value: us / 1000 / batch, launch };
      return Array.from({ length: Math.floor((counts[index] ?? 0) * share) }, () => reading);
    }),
  );
}

/** The slices of each cell, in the order in which the cells first came. */
export function byMicroCell(slices: readonly MicroSlice[]): MicroSlice[][] {
  return [...Map.groupBy(slices, ({ cell }) => microCellKey(cell)).values()];
}

/** The slices that statistics may use. */
export function soundSlices(slices: readonly MicroSlice[]): MicroSlice[] {
  return slices.filter(({ flags }) => flags.length === 0);
}

/**
 * The figure of one cell's slices. The interval is for any launch; where all runs were made in one launch, as in a memory
 * cache that no launch finds again, for that launch only.
 */
export function microFigure(slices: readonly MicroSlice[]): MicroFigure | null {
  const [first] = slices;
  if (!first) return null;
  const sound = soundSlices(slices);
  const readings = readingsOf(sound);
  const launches = new Set(sound.map(({ launch }) => launch)).size;
  const scope = launches === 1 ? 'these launches' : 'any launch';
  const estimate = medianInterval(readings, { random: createRandom(1), scope });
  const runs = sound.reduce((sum, slice) => sum + slice.runs, 0);
  const totalMs = sound.reduce((sum, slice) => sum + slice.totalMs, 0);
  const resolutionMs = Math.max(0, ...sound.map(({ timerStepMs, batch }) => timerStepMs / batch));
  return {
    cell: first.cell,
    runs,
    totalMs,
    averageMs: runs === 0 ? null : totalMs / runs,
    medianMs: estimate.median,
    // A time is never below 0, whatever a symmetric interval says.
    lowMs: estimate.interval && Math.max(0, estimate.interval.low),
    highMs: estimate.interval?.high ?? null,
    p95Ms: quantile(valuesOf(readings), 0.95),
    batch: Math.max(0, ...sound.map(({ batch }) => batch)),
    resolutionMs,
    belowResolution: estimate.median !== null && estimate.median < 2 * resolutionMs,
    launches,
    flagged: slices.length - sound.length,
  };
}
