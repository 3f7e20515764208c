import { unflagged } from '../run/flags.ts';
import type { MicroCell, MicroSlice } from './slice.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { quantile } from '../statistics/quantile.ts';
import { type Reading, valuesOf } from '../statistics/readings.ts';

/** Statistics of the runs of one cell. Times in ms; null is unknown. */
export interface MicroStatistics {
  cell: MicroCell;
  runs: number;
  /** Sum over the slices, each from its first start to its last end. */
  totalMs: number;
  /** As in Mozilla's report: total time divided by number of runs. */
  averageMs: number | null;
  medianMs: number | null;
  /** 95 % interval of the median; null with fewer than 3 launches. */
  lowMs: number | null;
  highMs: number | null;
  /** 95th percentile; of batch averages when a run was too short to be timed alone. */
  p95Ms: number | null;
  /** Runs per clock reading; the maximum of all slices. */
  batch: number;
  /** One clock step divided by the runs of a batch, ms. */
  resolutionMs: number;
  /** The median is below two such steps: only that it is small is known. */
  belowResolution: boolean;
  launches: number;
  /** Slices excluded because witnesses disagreed. */
  flagged: number;
}

/** Maximum number of readings of one cell; a run of hours stays below it. */
const mostReadings = 2_000_000;

/**
 * Every time of a slice, ms per run, each with its launch. When there are too many for memory, an even sample of them.
 */
export function readingsOf(slices: readonly MicroSlice[]): Reading[] {
  const total = slices.reduce(
    (sum, { counts }) => counts.reduce((part, count) => part + count, sum),
    0,
  );
  const share = Math.min(1, mostReadings / Math.max(1, total));
  // Rounded over all buckets so far: rounded alone, every bucket of a few readings, that is the tail, would be empty.
  let [seen, kept] = [0, 0];
  return slices.flatMap(({ batchUs, counts, batch, launch }) =>
    batchUs.flatMap((us, index) => {
      const reading = { value: us / 1000 / batch, launch };
      seen += counts[index] ?? 0;
      const length = Math.floor(seen * share) - kept;
      kept += length;
      return Array.from({ length }, () => reading);
    }),
  );
}

/**
 * The statistics of one cell's slices.
 */
export function microStatistics(slices: readonly MicroSlice[]): MicroStatistics | null {
  const [first] = slices;
  if (!first) return null;
  const sound = unflagged(slices);
  const readings = readingsOf(sound);
  const launches = new Set(sound.map(({ launch }) => launch)).size;
  const estimate = medianInterval(readings);
  const runs = sound.reduce((sum, slice) => sum + slice.runs, 0);
  const totalMs = sound.reduce((sum, slice) => sum + slice.totalMs, 0);
  const resolutionMs = Math.max(0, ...sound.map(({ timerStepMs, batch }) => timerStepMs / batch));
  return {
    cell: first.cell,
    runs,
    totalMs,
    averageMs: runs === 0 ? null : totalMs / runs,
    medianMs: estimate.median,
    lowMs: estimate.interval?.low ?? null,
    highMs: estimate.interval?.high ?? null,
    p95Ms: quantile(valuesOf(readings), 0.95),
    batch: Math.max(0, ...sound.map(({ batch }) => batch)),
    resolutionMs,
    belowResolution: estimate.median !== null && estimate.median < 2 * resolutionMs,
    launches,
    flagged: slices.length - sound.length,
  };
}
