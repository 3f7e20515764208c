import { createRandom } from './random.ts';
import { cellKey, type Sample } from './sample.ts';
import { drawnMedian, launchDraws } from './statistics/launch-bootstrap.ts';
import { median } from './statistics/quantile.ts';
import { readingsByCell } from './sweep-gaps.ts';
import type { SweepPoint } from './sweep-result.ts';
import type { SweepRun } from './sweep-run.ts';
import { type Series, seriesOf } from './sweep-series.ts';

/** One series at one delay of the slow device. */
export interface PointOfSeries {
  /** A direct 4 KiB read of the device, ms, median of the proofs. */
  delayMs: number;
  requestedDelayMs: number;
  medianMs: number;
  /** Its 95 % interval; null: unknown. */
  lowMs: number | null;
  highMs: number | null;
  /** Launches that took the readings. */
  launches: number;
  /**
   * Medians of as many resamples of whole launches as were asked for. Draw n is of the same launches in every series of a
   * run at this point: what a launch does to all of them cancels in differences.
   */
  drawnMs: Float64Array;
}

/** So many resamples: the ends of a 95 % interval then move by a twentieth of its width from seed to seed. */
export const draws = 400;

/** What every series of a sweep took at each delay of the slow device, by rising delay; without those that are not known. */
export function pointsOfSeries(
  run: SweepRun,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): { series: Series; points: PointOfSeries[] }[] {
  const readings = readingsByCell(samples);
  const slow = points
    .filter(({ storage, measuredDelayMs }) => storage !== 'none' && measuredDelayMs !== null)
    .toSorted((a, b) => (a.measuredDelayMs?.p50 ?? 0) - (b.measuredDelayMs?.p50 ?? 0));
  return seriesOf(run.plan).map((series) => ({
    series,
    points: slow.flatMap((point, index) => {
      const { storage, requestedDelayMs } = point;
      const own = readings.get(cellKey({ ...series, storage, delayMs: requestedDelayMs })) ?? [];
      const medianMs = median(own.map(({ value }) => value));
      const delayMs = point.measuredDelayMs?.p50;
      if (medianMs === null || delayMs === undefined) return [];
      const byLaunch = Map.groupBy(own, ({ launch }) => launch);
      const ids = launchesAt(samples, storage, requestedDelayMs);
      const values = ids.map((id) => (byLaunch.get(id) ?? []).map(({ value }) => value));
      const arm = point.arms.find(
        (each) =>
          cellKey({ ...each, storage, delayMs: 0 }) === cellKey({ ...series, storage, delayMs: 0 }),
      );
      return [
        {
          delayMs,
          requestedDelayMs,
          medianMs,
          lowMs: arm?.lowMs ?? null,
          highMs: arm?.highMs ?? null,
          launches: byLaunch.size,
          drawnMs: drawn(values, run.plan.seed + index, medianMs),
        },
      ];
    }),
  }));
}

/** Numbers of the launches at a point, of whatever series, in order. */
function launchesAt(samples: readonly Sample[], storage: string, delayMs: number): number[] {
  const here = samples.filter(
    ({ cell, kind }) => kind === 'timed' && cell.storage === storage && cell.delayMs === delayMs,
  );
  return [...new Set(here.map(({ launch }) => launch))].toSorted((a, b) => a - b);
}

/** A draw of launches that have no reading of this series says nothing, and is taken for the median itself. */
function drawn(values: readonly number[][], seed: number, medianMs: number): Float64Array {
  const medianOf = drawnMedian(values);
  const draw = launchDraws(values.length, createRandom(seed));
  return Float64Array.from({ length: draws }, () => {
    const ms = medianOf(draw());
    return Number.isNaN(ms) ? medianMs : ms;
  });
}
