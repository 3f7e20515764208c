import { createRandom } from '../statistics/random.ts';
import { shardOf } from '../run/shard.ts';
import { launchMedian, levelOf } from '../statistics/launch-level.ts';
import { median } from '../statistics/quantile.ts';
import { checksAt, delayOf } from '../sweep/delay-checks.ts';
import type { Place, SweepReads } from '../sweep/reads.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { SweepRun } from '../sweep/run.ts';
import { isSameSeries, type Series, seriesOf } from '../sweep/series.ts';

/** One series at one delay of the slow device. */
export interface PointOfSeries {
  /** Time of a direct 4 KiB read of the device, ms, median of the delay checks. */
  delayMs: number;
  requestedDelayMs: number;
  medianMs: number;
  /** Its 95 % interval; null: unknown. */
  lowMs: number | null;
  highMs: number | null;
  /** Number of launches that took the readings. */
  launches: number;
  /**
   * Levels of resamples of whole launches. Resample n draws the same launches for every series of a variant, and for
   * every point that these launches visited: an effect of a launch on all of them cancels in differences and slopes.
   */
  drawnMs: Float64Array;
  /**
   * Measured delays of the same launches, ms: delay checks are noisy too, and are resampled together with their
   * launches.
   */
  drawnDelayMs: Float64Array;
}

/** Number of resamples: the ends of a 95 % interval then move by about 5 % of its width from seed to seed. */
export const draws = 400;

/**
 * Read times of every series of a sweep at each delay of the slow device, by increasing delay; points without a reading
 * or a measured delay are left out.
 */
export function pointsOfSeries(
  run: SweepRun,
  points: readonly SweepPoint[],
  reads: SweepReads,
): { series: Series; points: PointOfSeries[] }[] {
  // The series of a variant share its disk and its launches.
  const variants = Map.groupBy(seriesOf(run.plan), ({ variant }) => variant);
  const found = [...variants].flatMap(([variant, all]) => {
    const visits = visitsOf(run, points, reads, { variant });
    return all.map((series) => ({
      series,
      points: visits.flatMap((visit) => drawnAt(visit, series, reads)),
    }));
  });
  drawLaunches(
    found.flatMap((each) => each.points),
    run.plan.seed,
  );
  return found.map((each) => ({ ...each, points: each.points.map(({ shown }) => shown) }));
}

/** A point with the launches and the delay checks of one variant. */
interface Visits {
  point: SweepPoint;
  delayMs: number;
  /** Numbers of the launches, in order. */
  ids: readonly number[];
  /** The delay checks of the variant's disk during each launch, ms. */
  proofsMs: readonly (readonly number[])[];
}

function visitsOf(
  run: SweepRun,
  points: readonly SweepPoint[],
  reads: SweepReads,
  variant: Pick<Series, 'variant'>,
): Visits[] {
  const slow = points.flatMap((point): Visits[] => {
    const delayMs = delayOf(point, variant);
    if (point.storage === 'none' || delayMs === null) return [];
    const ids = launchesAt(reads, point, variant);
    return [{ point, delayMs, ids, proofsMs: proofsOfLaunches(run, ids, point, variant) }];
  });
  return slow.toSorted((a, b) => a.delayMs - b.delayMs);
}

/** A series at a point; empty without a reading. */
function drawnAt(
  { point, delayMs, ids, proofsMs }: Visits,
  series: Series,
  reads: SweepReads,
): Drawn[] {
  const { storage, requestedDelayMs } = point;
  const own = reads.readingsAt({ ...series, storage, delayMs: requestedDelayMs });
  const byLaunch = Map.groupBy(own, ({ launch }) => launch);
  const values = ids.map((id) => (byLaunch.get(id) ?? []).map(({ value }) => value));
  const medianMs = levelOf(values.filter(({ length }) => length > 0));
  if (medianMs === null) return [];
  const arm = point.arms.find((each) => isSameSeries(each, series));
  const shown = {
    delayMs,
    requestedDelayMs,
    medianMs,
    lowMs: arm?.lowMs ?? null,
    highMs: arm?.highMs ?? null,
    launches: byLaunch.size,
    drawnMs: new Float64Array(draws),
    drawnDelayMs: new Float64Array(draws),
  };
  return [{ ids, logs: values.map((each) => Math.log(launchMedian(each))), proofsMs, shown }];
}

/** A point whose launches are drawn. */
interface Drawn {
  ids: readonly number[];
  /** Logarithm of each launch's median; NaN without a reading. */
  logs: readonly number[];
  /** The delay checks of its disk there during each launch, ms. */
  proofsMs: readonly (readonly number[])[];
  shown: PointOfSeries;
}

/** Numbers of the launches of a variant at a point, in order. */
function launchesAt(
  { cells }: SweepReads,
  { storage, requestedDelayMs }: Place,
  { variant }: Pick<Series, 'variant'>,
): number[] {
  const here = [...cells.values()].filter(
    ({ cell }) =>
      cell.storage === storage && cell.delayMs === requestedDelayMs && cell.variant === variant,
  );
  const launches = new Set<number>();
  for (const reads of here) for (const launch of reads.launches()) launches.add(launch);
  return [...launches].toSorted((a, b) => a - b);
}

/**
 * The delay checks of a disk during each launch. In a merged run the launches of a shard, which have a disk of their own,
 * are numbered between those of the others.
 */
function proofsOfLaunches(
  { proofs, merged }: SweepRun,
  ids: readonly number[],
  place: Place,
  variant: Pick<Series, 'variant'>,
): (readonly number[])[] {
  if (!merged) return shared(proofsAt({ proofs }, place, variant), ids.length);
  const found = new Map<number, readonly number[]>();
  for (const { shard, proofs: own } of merged.shards) {
    const launches = ids.filter((id) => shardOf(id, shard.count) === shard.number);
    const shares = shared(proofsAt({ proofs: own }, place, variant), launches.length);
    for (const [index, id] of launches.entries()) found.set(id, shares[index] ?? []);
  }
  return ids.map((id) => found.get(id) ?? []);
}

/** The delay checks of a variant's disk at a place, ms, in the order taken. */
function proofsAt(
  run: Pick<SweepRun, 'proofs'>,
  place: Place,
  variant: Pick<Series, 'variant'>,
): number[] {
  return checksAt(run, place, variant)
    .toSorted((one, other) => Date.parse(one.takenAt) - Date.parse(other.takenAt))
    .map(({ p50Ms }) => p50Ms);
}

/** Divides delay checks over launches. Visits with retries have more checks, so all checks are distributed evenly. */
function shared(proofsMs: readonly number[], launches: number): number[][] {
  const share = proofsMs.length / launches;
  return Array.from({ length: launches }, (_, place) =>
    proofsMs.slice(Math.floor(place * share), Math.floor((place + 1) * share)),
  );
}

/** Draws launches with replacement for every resample; points with equal lists of launches get equal draws. */
function drawLaunches(all: readonly Drawn[], seed: number): void {
  const groups = Map.groupBy(all, ({ ids }) => ids.join());
  for (const [place, own] of [...groups.values()].entries()) {
    const random = createRandom(seed + place);
    const ids = own[0]?.ids ?? [];
    // All series of a variant have the delay checks of its disk.
    const points = [...Map.groupBy(own, ({ proofsMs }) => proofsMs)];
    for (let draw = 0; draw < draws; draw++) {
      const drawn = Uint32Array.from(ids, () => Math.floor(random() * ids.length));
      for (const [proofsMs, series] of points) {
        const delayMs = drawnDelay(proofsMs, drawn);
        for (const { logs, shown } of series) {
          shown.drawnMs[draw] = drawnLevel(logs, drawn) ?? shown.medianMs;
          shown.drawnDelayMs[draw] = delayMs ?? shown.delayMs;
        }
      }
    }
  }
}

/** The level of the launches of a resample; null when none of them has a reading of this series. */
function drawnLevel(logs: readonly number[], drawn: Uint32Array): number | null {
  let [sum, count] = [0, 0];
  for (const place of drawn) {
    const log = logs[place] ?? Number.NaN;
    if (!Number.isFinite(log)) continue;
    sum += log;
    count++;
  }
  return count === 0 ? null : Math.exp(sum / count);
}

/** The median of the delay checks during the launches of a resample, ms; null without one. */
function drawnDelay(proofsMs: readonly (readonly number[])[], drawn: Uint32Array): number | null {
  return median(Array.from(drawn).flatMap((place) => proofsMs[place] ?? []));
}
