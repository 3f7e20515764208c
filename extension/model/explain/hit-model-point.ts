import { createRandom } from '../statistics/random.ts';
import { cellKey, type Sample } from '../run/sample.ts';
import { launchMedian, levelOf } from '../statistics/launch-level.ts';
import { median } from '../statistics/quantile.ts';
import { readingsByCell } from '../sweep/gaps.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { SweepRun } from '../sweep/run.ts';
import { type Series, seriesOf } from '../sweep/series.ts';

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
   * Levels of as many resamples of whole launches as were asked for. Draw n is of the same launches in every series of a
   * run, and at every point that they visited: what a launch does to all of them cancels in differences and slopes.
   */
  drawnMs: Float64Array;
  /** What the device took in the same launches, ms: proofs are noisy too, and are drawn with their launches. */
  drawnDelayMs: Float64Array;
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
  const drawsOf = launchDraws(run.plan.seed);
  const slow = points
    .filter(({ storage, measuredDelayMs }) => storage !== 'none' && measuredDelayMs !== null)
    .toSorted((a, b) => (a.measuredDelayMs?.p50 ?? 0) - (b.measuredDelayMs?.p50 ?? 0))
    .map((point) => ({ point, ids: launchesAt(samples, point), proofsMs: proofsAt(run, point) }));
  return seriesOf(run.plan).map((series) => ({
    series,
    points: slow.flatMap(({ point, ids, proofsMs }) => {
      const { storage, requestedDelayMs } = point;
      const own = readings.get(cellKey({ ...series, storage, delayMs: requestedDelayMs })) ?? [];
      const byLaunch = Map.groupBy(own, ({ launch }) => launch);
      const values = ids.map((id) => (byLaunch.get(id) ?? []).map(({ value }) => value));
      const medianMs = levelOf(values.filter(({ length }) => length > 0));
      const delayMs = point.measuredDelayMs?.p50;
      if (medianMs === null || delayMs === undefined) return [];
      const arm = point.arms.find(
        (each) =>
          cellKey({ ...each, storage, delayMs: 0 }) === cellKey({ ...series, storage, delayMs: 0 }),
      );
      const drawn = drawsOf(ids);
      return [
        {
          delayMs,
          requestedDelayMs,
          medianMs,
          lowMs: arm?.lowMs ?? null,
          highMs: arm?.highMs ?? null,
          launches: byLaunch.size,
          drawnMs: drawnLevels(values, drawn, medianMs),
          drawnDelayMs: drawnDelays(proofsMs, ids.length, drawn, delayMs),
        },
      ];
    }),
  }));
}

type Place = Pick<SweepPoint, 'storage' | 'requestedDelayMs'>;

/** Numbers of the launches at a point, of whatever series, in order. */
function launchesAt(samples: readonly Sample[], place: Place): number[] {
  const here = samples.filter(
    ({ cell, kind }) =>
      kind === 'timed' && cell.storage === place.storage && cell.delayMs === place.requestedDelayMs,
  );
  return [...new Set(here.map(({ launch }) => launch))].toSorted((a, b) => a - b);
}

/** The proofs of a point, in the order taken: those of the first visit first. */
function proofsAt({ proofs }: SweepRun, place: Place): number[] {
  return proofs
    .filter((proof) => proof.storage === place.storage)
    .filter((proof) => proof.requestedDelayMs === place.requestedDelayMs)
    .toSorted((one, other) => Date.parse(one.takenAt) - Date.parse(other.takenAt))
    .map(({ p50Ms }) => p50Ms);
}

/** Places of the launches that each resample drew, with replacement; the same for the same launches. */
function launchDraws(seed: number): (ids: readonly number[]) => Uint32Array[] {
  const known = new Map<string, Uint32Array[]>();
  return (ids) => {
    const key = ids.join();
    const random = createRandom(seed + known.size);
    const drawn =
      known.get(key) ??
      Array.from({ length: draws }, () =>
        Uint32Array.from(ids, () => Math.floor(random() * ids.length)),
      );
    known.set(key, drawn);
    return drawn;
  };
}

/** A draw of launches that have no reading of this series says nothing, and is taken for the level itself. */
function drawnLevels(
  values: readonly number[][],
  drawn: readonly Uint32Array[],
  levelMs: number,
): Float64Array {
  const logs = values.map((each) => Math.log(launchMedian(each)));
  return Float64Array.from(drawn, (places) => {
    const own = Array.from(places, (place) => logs[place] ?? Number.NaN).filter(Number.isFinite);
    if (own.length === 0) return levelMs;
    return Math.exp(own.reduce((sum, log) => sum + log, 0) / own.length);
  });
}

/** Each launch has the proofs beside it. Visits that were tried twice proved more often: they are dealt out evenly. */
function drawnDelays(
  proofsMs: readonly number[],
  launches: number,
  drawn: readonly Uint32Array[],
  delayMs: number,
): Float64Array {
  const share = proofsMs.length / launches;
  return Float64Array.from(drawn, (places) => {
    const own = Array.from(places).flatMap((place) =>
      proofsMs.slice(Math.floor(place * share), Math.floor((place + 1) * share)),
    );
    return median(own) ?? delayMs;
  });
}
