import { type MachineGap, machineGaps, machineSentences } from './machine-gaps.ts';
import { type BreakEven, breakEvens } from '../explain/break-even.ts';
import { hitModel } from '../explain/hit-model.ts';
import { pointsOfSeries } from '../explain/hit-model-point.ts';
import { badReadSentences } from './bad-reads.ts';
import { checkedDelay, delayOf } from './delay-checks.ts';
import { finding } from './finding.ts';
import { cellKey, type Sample } from '../run/sample.ts';
import { leastSquares } from '../statistics/least-squares.ts';
import { launchMedian } from '../statistics/launch-level.ts';
import { launchesOf } from '../statistics/design.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Reading } from '../statistics/readings.ts';
import { gapsOf } from './gaps.ts';
import { type ProfileResult, profileResult, profileSentences } from './profile-result.ts';
import { type DelayedRead, slopeOverLaunches } from './launch-slopes.ts';
import {
  cellAt,
  CellReads,
  type Place,
  readsOf,
  type SampleCounts,
  type SweepReads,
} from './reads.ts';
import type { ArmFit, ArmPoint, SweepPoint } from './result.ts';
import type { SweepRun, SweepRunDocument } from './run.ts';
import { sweepTrust } from './trust.ts';
import { variantPairSentence } from '../features/variant-pair.ts';
import { variantPairsOf } from './variant-pairs.ts';
import { type Trust, trustedFinding, trustOf } from '../run/trust.ts';
import { isSameSeries, pairsOf, type Series, seriesAt, seriesOf } from './series.ts';

export type { ArmFit, ArmPoint, Gap, SweepPoint } from './result.ts';
export type { SampleCounts } from './reads.ts';

/** Results of a sweep, computed only from its run and samples. They can be recomputed at any time. */
export interface SweepSummary {
  trust: Trust;
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

/** The summary of a sweep: saved with a run too large for its samples, computed from the samples otherwise. */
export function summaryOf({ run, samples, summary }: SweepRunDocument): SweepSummary {
  // The schema checks what is shown of it; the rest is as `summarize` wrote it.
  if (!summary) return summarize(run, samples);
  const { trust = trustOf(run, { taken: 0, flagged: 0, cells: [] }) } = summary;
  return { ...(summary as unknown as SweepSummary), trust };
}

/** Analyses a sweep. Pure and repeatable: the resamples of the model are drawn from the plan's seed. */
export function summarize(run: SweepRun, samples: Iterable<Sample>): SweepSummary {
  return summarizeReads(run, readsOf(samples));
}

/** The same for samples that were collected one by one. */
export function summarizeReads(run: SweepRun, reads: SweepReads): SweepSummary {
  const places = begunPoints(run, reads);
  const trust = sweepTrust(run, reads);
  const points = pointsAt(run, trust, places, reads.cells);
  // A profile draws its latencies at a delay of 0.
  const drawnAt = { storage: run.plan.storage, requestedDelayMs: 0 };
  const [drawn] = run.plan.profile ? pointsAt(run, trust, [drawnAt], reads.drawn) : [];
  const fits = seriesOf(run.plan).map((series) => fitSeries(run, series, points, reads));
  const breakEvenDelays = trust.grade === 'poor' ? [] : breakEvenDelaysOf(run, points, reads);
  const machines = machineGaps(run, places, reads);
  const profile = drawn && profileResult(run, reads, drawn, fits);
  return {
    trust,
    points,
    fits,
    counts: reads.counts,
    ...(profile && { profile }),
    evictionMs: median(reads.evictionMs),
    breakEvens: breakEvenDelays,
    ...(machines.length > 0 && { machines }),
    finding: trustedFinding(
      trust,
      [
        ...finding({ points, fits, breakEvens: breakEvenDelays }),
        ...variantPairsOf(run).map(variantPairSentence),
        ...(profile ? profileSentences(profile) : []),
        ...machineSentences(machines),
      ],
      badReadSentences(run.plan, reads),
    ),
  };
}

/** The results at places, the gaps of each question as one family. */
function pointsAt(
  run: SweepRun,
  { inconclusive }: Trust,
  places: readonly Place[],
  cells: ReadonlyMap<string, CellReads>,
): SweepPoint[] {
  const gaps = gapsOf(run, inconclusive, places, cells);
  return places.map((place, index): SweepPoint => ({
    ...place,
    ...checkedDelay(run, place),
    arms: seriesOf(run.plan).map((series) => {
      const cell = cellAt(place, series);
      return summarizeCell(series, cells.get(cellKey(cell)) ?? new CellReads(cell));
    }),
    gaps: gaps[index] ?? [],
  }));
}

/** For every pair of arms whose reads follow the model. */
function breakEvenDelaysOf(
  run: SweepRun,
  points: readonly SweepPoint[],
  reads: SweepReads,
): BreakEven[] {
  const models = pointsOfSeries(run, points, reads)
    .map(({ series, points: own }) => hitModel(series, own))
    .filter((model) => model?.verdict === 'holds');
  const modelOf = (series: Series) =>
    models.find((model) => model && isSameSeries(model.series, series));
  return pairsOf(run.plan)
    .filter(({ between }) => between === 'arms')
    .flatMap((pair) => {
      const [of, against] = [modelOf(pair.of), modelOf(pair.against)];
      return of && against ? breakEvens(of, against, [], points) : [];
    });
}

function begunPoints(run: SweepRun, reads: SweepReads): Place[] {
  const places: Place[] = [
    ...reads.places,
    ...run.proofs.map(({ storage, requestedDelayMs }) => ({ storage, requestedDelayMs })),
  ];
  const distinct = new Map(places.map((place) => [placeKey(place), place]));
  const rank = (place: Place): number => (place.storage === 'none' ? -1 : place.requestedDelayMs);
  return [...distinct.values()].toSorted((a, b) => rank(a) - rank(b));
}

function placeKey(place: Place): string {
  return `${place.storage}/${place.requestedDelayMs}`;
}

function summarizeCell(series: Series, reads: CellReads): ArmPoint {
  const readings = reads.readings();
  return {
    ...series,
    samples: readings.length,
    launches: launchesOf(readings),
    flagged: reads.timed - readings.length,
    ...medianOfReadings(readings),
    ...deviceMedians([reads]),
    networkServiceMs: processorTime(reads.processorReadings()),
  };
}

/** null in runs that did not record it, and where the kernel does not provide it. */
function processorTime(readings: readonly Reading[]): ArmPoint['networkServiceMs'] {
  const { medianMs, ...ends } = medianOfReadings(readings);
  return medianMs === null ? null : { medianMs, ...ends };
}

function medianOfReadings(
  readings: readonly Reading[],
): Pick<ArmPoint, 'medianMs' | 'lowMs' | 'highMs'> {
  const { median: medianMs, interval } = medianInterval(readings);
  return { medianMs, lowMs: interval?.low ?? null, highMs: interval?.high ?? null };
}

function deviceMedians(cells: readonly CellReads[]): {
  deviceReads: number | null;
  deviceReadBytes: number | null;
} {
  return {
    deviceReads: median(cells.flatMap((reads) => reads.deviceReads)),
    deviceReadBytes: median(cells.flatMap((reads) => reads.deviceReadBytes)),
  };
}

function fitSeries(
  run: SweepRun,
  series: Series,
  points: readonly SweepPoint[],
  reads: SweepReads,
): ArmFit {
  const pairs = points
    .filter((point) => point.storage !== 'none')
    .map((point) => [delayOf(point, series), medianOf(point, series)] as const)
    .filter((pair): pair is [number, number] => pair.every((value) => typeof value === 'number'));
  const fit = leastSquares(pairs);
  const stored = run.stored.find((entry) => isSameSeries(entry, series));
  const own = [...reads.cells.values()].filter(
    ({ cell }) => cell.storage !== 'none' && isSameSeries(seriesAt(cell), series),
  );
  const crossed = slopeOverLaunches(own.flatMap((cell) => launchMedians(cell, points)));
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

/** The median of each launch in a cell, at the measured delay of its disk; empty where that is unknown. */
function launchMedians(reads: CellReads, points: readonly SweepPoint[]): DelayedRead[] {
  const { storage, delayMs: requested } = reads.cell;
  const point = points.find(
    (candidate) => candidate.storage === storage && candidate.requestedDelayMs === requested,
  );
  const delayMs = point ? delayOf(point, reads.cell) : null;
  if (delayMs === null) return [];
  return [...Map.groupBy(reads.readings(), ({ launch }) => launch)].map(([launch, taken]) => ({
    launch: launch ?? Number.NaN,
    delayMs,
    readMs: launchMedian(taken.map(({ value }) => value)),
  }));
}

function medianOf(point: SweepPoint, series: Series): number | null | undefined {
  return point.arms.find((candidate) => isSameSeries(candidate, series))?.medianMs;
}
