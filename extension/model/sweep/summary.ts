import { type MachineGap, machineGaps, machineSentences } from './machine-gaps.ts';
import { type BreakEven, breakEvens } from '../explain/break-even.ts';
import { hitModel } from '../explain/hit-model.ts';
import { pointsOfSeries } from '../explain/hit-model-point.ts';
import { badReadSentences } from './bad-reads.ts';
import { finding } from './finding.ts';
import { createRandom } from '../statistics/random.ts';
import {
  atConstantDelay,
  atProfile,
  cellKey,
  type Sample,
  type SampleFlag,
  usable,
} from '../run/sample.ts';
import { leastSquares } from '../statistics/least-squares.ts';
import { launchesOf, scopeOf } from '../statistics/launch-scope.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';
import { gapsOf, readingsByCell } from './gaps.ts';
import { type ProfileResult, profileResult, profileSentences } from './profile-result.ts';
import { slopeOverLaunches } from './launch-slopes.ts';
import type { ArmFit, ArmPoint, SweepPoint } from './result.ts';
import type { SweepRun, SweepRunDocument } from './run.ts';
import { isSameSeries, pairsOf, type Series, seriesAt, seriesOf } from './series.ts';

export type { ArmFit, ArmPoint, Gap, SweepPoint } from './result.ts';

/** Results of a sweep, computed only from its run and samples. They can be recomputed at any time. */
export interface SweepSummary {
  /** Control first, then by increasing requested delay. Points that were not started are absent. */
  points: SweepPoint[];
  /** One per series, in the plan's order. */
  fits: ArmFit[];
  counts: SampleCounts;
  /** Reads with latencies drawn from the plan's profile; absent in a run without one. */
  profile?: ProfileResult;
  /** Median time to drop the page cache before a timed read, ms; null: unknown, as in older runs. */
  evictionMs: number | null;
  /** Break-even delays of pairs of arms whose reads follow the model (hit-model.ts). */
  breakEvens: BreakEven[];
  /** For a run merged from shards: its gaps by machine, in the order of the points; absent otherwise. */
  machines?: MachineGap[];
  /** The results in sentences. Never empty. */
  finding: string[];
}

/** Numbers of samples by their use. */
export interface SampleCounts {
  /** Every sample, of any kind. */
  samples: number;
  /** Samples in the statistics: timed and without a flag. */
  used: number;
  /** Confirmation reads, with heavier evidence, which the statistics exclude. */
  companions: number;
  /** Number of timed samples with each flag. One sample may have several. */
  flagged: Record<SampleFlag, number>;
}

/** The summary of a sweep: saved with a run too large for its samples, computed from the samples otherwise. */
export function summaryOf({ run, samples, summary }: SweepRunDocument): SweepSummary {
  // The schema checks what is shown of it; the rest is as `summarize` wrote it.
  return summary ? (summary as unknown as SweepSummary) : summarize(run, samples);
}

/** Analyses a sweep. Pure and repeatable: the resamples of the intervals are drawn from the plan's seed. */
export function summarize(run: SweepRun, all: readonly Sample[]): SweepSummary {
  const samples = atConstantDelay(all);
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const places = begunPoints(run, samples);
  const points = pointsAt(run, places, samples);
  const fits = seriesOf(run.plan).map((series) => fitSeries(run, series, points, timed));
  const counts = countSamples(all);
  const breakEvenDelays = breakEvenDelaysOf(run, points, samples);
  const machines = machineGaps(run, places, samples);
  const profile = profileOf(run, all, fits);
  return {
    points,
    fits,
    counts,
    ...(profile && { profile }),
    evictionMs: median(timed.flatMap(({ evictionMs }) => evictionMs ?? [])),
    breakEvens: breakEvenDelays,
    ...(machines.length > 0 && { machines }),
    finding: [
      ...finding({ points, fits, breakEvens: breakEvenDelays }),
      ...(profile ? profileSentences(profile) : []),
      ...badReadSentences(run.plan, all),
      ...machineSentences(machines),
    ],
  };
}

/** The results of the profile's cells; null in a run without a profile. */
function profileOf(
  run: SweepRun,
  all: readonly Sample[],
  fits: readonly ArmFit[],
): ProfileResult | null {
  // Only the profile distinguishes its cells from those at a delay of 0.
  const drawn = atProfile(all).map((sample) => {
    const { profile: _, ...cell } = sample.cell;
    return { ...sample, cell };
  });
  const [point] = pointsAt(run, [{ storage: run.plan.storage, requestedDelayMs: 0 }], drawn);
  return point ? profileResult(run, all, point, fits) : null;
}

/** The results at places, all gaps as one family. */
function pointsAt(
  run: SweepRun,
  places: readonly Place[],
  samples: readonly Sample[],
): SweepPoint[] {
  const random = createRandom(run.plan.seed);
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const cells = Map.groupBy(timed, ({ cell }) => cellKey(cell));
  const readings = readingsByCell(samples);
  const gaps = gapsOf(run, places, readings, random);
  return places.map((place, index): SweepPoint => ({
    ...place,
    ...proved(run, place),
    arms: seriesOf(run.plan).map((series) => {
      const key = cellKey({ ...series, storage: place.storage, delayMs: place.requestedDelayMs });
      return summarizeCell(
        series,
        cells.get(key) ?? [],
        readings.get(key) ?? [],
        random,
        run.plan.seed,
      );
    }),
    gaps: gaps[index] ?? [],
  }));
}

/** For every pair of arms whose reads follow the model. */
function breakEvenDelaysOf(
  run: SweepRun,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): BreakEven[] {
  const models = pointsOfSeries(run, points, samples)
    .map(({ series, points: own }) => hitModel(series, own))
    .filter((model) => model?.verdict === 'holds');
  const modelOf = (series: Series) =>
    models.find((model) => model && isSameSeries(model.series, series));
  return pairsOf(run.plan)
    .filter(({ between }) => between === 'arms')
    .flatMap((pair) => {
      const [of, against] = [modelOf(pair.of), modelOf(pair.against)];
      return of && against ? breakEvens(of, against, null) : [];
    });
}

type Place = Pick<SweepPoint, 'storage' | 'requestedDelayMs'>;

function begunPoints(run: SweepRun, samples: readonly Sample[]): Place[] {
  const places: Place[] = [
    ...samples.map(({ cell }) => ({ storage: cell.storage, requestedDelayMs: cell.delayMs })),
    ...run.proofs.map(({ storage, requestedDelayMs }) => ({ storage, requestedDelayMs })),
  ];
  const distinct = new Map(places.map((place) => [placeKey(place), place]));
  const rank = (place: Place): number => (place.storage === 'none' ? -1 : place.requestedDelayMs);
  return [...distinct.values()].toSorted((a, b) => rank(a) - rank(b));
}

function placeKey(place: Place): string {
  return `${place.storage}/${place.requestedDelayMs}`;
}

/** The measured delay and throughput of a point, from its delay checks. */
function proved(
  { plan, proofs: all }: SweepRun,
  place: Place,
): Pick<SweepPoint, 'measuredDelayMs' | 'delayOff' | 'throughputBytesPerSecond'> {
  const proofs = all.filter((proof) => placeKey(proof) === placeKey(place));
  // In the crossed design a point has many short checks, and other work on the machine may slow down some of them.
  const tolerated = plan.crossed ? proofs.length / 2 : 0;
  const p50 = median(proofs.map((proof) => proof.p50Ms));
  const p95 = median(proofs.map((proof) => proof.p95Ms));
  return {
    measuredDelayMs: p50 === null || p95 === null ? null : { p50, p95 },
    delayOff: proofs.filter((proof) => proof.off).length > tolerated,
    throughputBytesPerSecond: median(
      proofs.map((proof) => proof.throughputBytesPerSecond).filter((rate) => rate !== null),
    ),
  };
}

function summarizeCell(
  series: Series,
  timed: readonly Sample[],
  readings: readonly Reading[],
  random: () => number,
  seed: number,
): ArmPoint {
  const scope = scopeOf(readings);
  const { median: medianMs, interval } = medianInterval(readings, { random, scope });
  return {
    ...series,
    samples: readings.length,
    launches: launchesOf(readings),
    flagged: timed.length - readings.length,
    medianMs,
    lowMs: interval?.low ?? null,
    highMs: interval?.high ?? null,
    scope,
    ...deviceMedians(usable(timed)),
    networkServiceMs: processorTime(usable(timed), seed),
  };
}

/** null in runs that did not record it, and where the kernel does not provide it. */
function processorTime(samples: readonly Sample[], seed: number): ArmPoint['networkServiceMs'] {
  const readings = samples.flatMap(({ networkServiceMs, launch }) =>
    typeof networkServiceMs === 'number' ? [{ value: networkServiceMs, launch }] : [],
  );
  const random = createRandom(seed);
  const scope = scopeOf(readings);
  const { median: medianMs, interval } = medianInterval(readings, { random, scope });
  if (medianMs === null) return null;
  return { medianMs, lowMs: interval?.low ?? null, highMs: interval?.high ?? null };
}

/** The counts of a shared device are only an upper bound, so the counts of the read itself are unknown. */
function deviceMedians(samples: readonly Sample[]): {
  deviceReads: number | null;
  deviceReadBytes: number | null;
} {
  const counted = samples
    .map((sample) => sample.device)
    .filter((device) => device !== null)
    .filter((device) => !device.shared);
  return {
    deviceReads: median(counted.map((device) => device.reads)),
    deviceReadBytes: median(counted.map((device) => device.readBytes)),
  };
}

function fitSeries(
  run: SweepRun,
  series: Series,
  points: readonly SweepPoint[],
  timed: readonly Sample[],
): ArmFit {
  const pairs = points
    .filter((point) => point.storage !== 'none')
    .map((point) => [point.measuredDelayMs?.p50, medianOf(point, series)] as const)
    .filter((pair): pair is [number, number] => pair.every((value) => typeof value === 'number'));
  const fit = leastSquares(pairs);
  const stored = run.stored.find((entry) => isSameSeries(entry, series));
  const own = usable(timed).filter(
    ({ cell }) => cell.storage !== 'none' && isSameSeries(seriesAt(cell), series),
  );
  const crossed = slopeOverLaunches(
    own.flatMap(({ cell, launch, readMs }) => {
      const delayMs = points.find(
        ({ storage, requestedDelayMs }) =>
          storage === cell.storage && requestedDelayMs === cell.delayMs,
      )?.measuredDelayMs?.p50;
      return delayMs === undefined ? [] : [{ launch, delayMs, readMs }];
    }),
  );
  const interval = crossed?.interval ?? fit?.slopeInterval;
  return {
    ...series,
    slopeMsPerMs: crossed?.slope ?? fit?.slope ?? null,
    slopeLow: interval?.low ?? null,
    slopeHigh: interval?.high ?? null,
    interceptMs: fit?.intercept ?? null,
    r2: fit?.r2 ?? null,
    points: pairs.length,
    ...deviceMedians(own),
    storedBytes: stored?.storedBytes ?? null,
    wireBytes: stored?.wireBytes ?? null,
    decodedBytes: stored?.decodedBytes ?? null,
  };
}

function medianOf(point: SweepPoint, series: Series): number | null | undefined {
  return point.arms.find((candidate) => isSameSeries(candidate, series))?.medianMs;
}

function countSamples(samples: readonly Sample[]): SampleCounts {
  const timed = samples.filter((sample) => sample.kind === 'timed');
  const bearing = (flag: SampleFlag): number =>
    timed.filter((sample) => sample.flags.includes(flag)).length;
  return {
    samples: samples.length,
    used: usable(samples).length,
    companions: samples.filter(({ kind }) => kind === 'companion').length,
    flagged: {
      'source-not-disk': bearing('source-not-disk'),
      'origin-touched': bearing('origin-touched'),
      'device-silent': bearing('device-silent'),
      'device-short': bearing('device-short'),
      'page-cache-state': bearing('page-cache-state'),
      'wrong-body': bearing('wrong-body'),
      'read-failed': bearing('read-failed'),
      'origin-unasked': bearing('origin-unasked'),
      histograms: bearing('histograms'),
    },
  };
}
