import {
  differenceInterval,
  type Interval,
  percentileInterval,
  resampledMedians,
} from './bootstrap.ts';
import type { Coding } from './coding.ts';
import { finding } from './finding.ts';
import { median } from './quantile.ts';
import { createRandom } from './random.ts';
import { fitLine } from './regression.ts';
import type { DelayProof } from './run-base.ts';
import type { SweepRun } from './sweep-run.ts';
import { cellKey, type Sample, type SampleFlag, usable } from './sample.ts';
import type { ArmFit, ArmPoint, Gap, SweepPoint } from './sweep-result.ts';

export type { ArmFit, ArmPoint, Gap, SweepPoint } from './sweep-result.ts';

/** What a sweep shows, computed from its run and samples alone. Derived: it can be made again at any time. */
export interface SweepSummary {
  /** Control first, then by rising requested delay. Points that were not begun are absent. */
  points: SweepPoint[];
  /** One an arm, in the plan's order. */
  fits: ArmFit[];
  counts: SampleCounts;
  /** What follows from the data, in sentences. Never empty. */
  finding: string[];
}

export interface SampleCounts {
  /** Every sample, of any kind. */
  samples: number;
  /** Samples in the statistics: timed and without a flag. */
  used: number;
  /** Reads watched by heavier evidence, which the statistics leave out. */
  companions: number;
  /** Timed samples that bear each flag. One sample may bear several. */
  flagged: Record<SampleFlag, number>;
}

/** Analyses a sweep. Pure and repeatable: the intervals draw their resamples from the plan's seed. */
export function summarize(run: SweepRun, samples: readonly Sample[]): SweepSummary {
  const random = createRandom(run.plan.seed);
  const cells = Map.groupBy(
    samples.filter((sample) => sample.kind === 'timed'),
    (sample) => cellKey(sample.cell),
  );
  const points = begunPoints(run, samples).map((place) =>
    summarizePoint(run, place, cells, random),
  );
  const fits = run.plan.arms.map((arm) => fitArm(run, arm, points, samples));
  return {
    points,
    fits,
    counts: countSamples(samples),
    finding: finding({ points, fits }),
  };
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

function summarizePoint(
  run: SweepRun,
  place: Place,
  cells: ReadonlyMap<string, Sample[]>,
  random: () => number,
): SweepPoint {
  const { storage, requestedDelayMs } = place;
  const proofs = run.proofs.filter((proof) => placeKey(proof) === placeKey(place));
  const measured = run.plan.arms.map((arm) => {
    const timed = cells.get(cellKey({ arm, storage, delayMs: requestedDelayMs })) ?? [];
    return summarizeCell(arm, timed, random);
  });
  return {
    storage,
    requestedDelayMs,
    measuredDelayMs: measuredDelay(proofs),
    delayOff: proofs.some((proof) => proof.off),
    throughputBytesPerSecond: median(
      proofs.map((proof) => proof.throughputBytesPerSecond).filter((rate) => rate !== null),
    ),
    arms: measured.map((cell) => cell.point),
    gaps: gapsOf(run, measured),
  };
}

function measuredDelay(proofs: readonly DelayProof[]): SweepPoint['measuredDelayMs'] {
  const p50 = median(proofs.map((proof) => proof.p50Ms));
  const p95 = median(proofs.map((proof) => proof.p95Ms));
  return p50 === null || p95 === null ? null : { p50, p95 };
}

interface SummarizedCell {
  point: ArmPoint;
  medians: number[] | null;
}

function summarizeCell(
  arm: Coding,
  timed: readonly Sample[],
  random: () => number,
): SummarizedCell {
  const used = usable(timed);
  const launches = [...Map.groupBy(used, (sample) => sample.launch).values()];
  const medians = resampledMedians(
    launches.map((launch) => launch.map((sample) => sample.readMs)),
    random,
  );
  const point: ArmPoint = {
    arm,
    samples: used.length,
    flagged: timed.length - used.length,
    medianMs: median(used.map((sample) => sample.readMs)),
    ...ends(medians && percentileInterval(medians)),
    ...deviceMedians(used),
  };
  return { point, medians };
}

function ends(interval: Interval | null): { lowMs: number | null; highMs: number | null } {
  return { lowMs: interval?.low ?? null, highMs: interval?.high ?? null };
}

/** A shared device's counts are an upper bound only, so the read's own are unknown. */
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

function gapsOf(run: SweepRun, cells: readonly SummarizedCell[]): Gap[] {
  const baseline = cells.find((cell) => cell.point.arm === baselineArm(run));
  if (!baseline) return [];
  return cells.filter((cell) => cell !== baseline).map((cell) => gapBetween(cell, baseline));
}

function gapBetween(cell: SummarizedCell, baseline: SummarizedCell): Gap {
  const [of, against] = [cell.point.medianMs, baseline.point.medianMs];
  const interval =
    cell.medians && baseline.medians && differenceInterval(cell.medians, baseline.medians);
  return {
    arm: cell.point.arm,
    baseline: baseline.point.arm,
    ms: of === null || against === null ? null : of - against,
    ...ends(interval),
  };
}

function baselineArm(run: SweepRun): Coding | undefined {
  return run.plan.arms.includes('br') ? 'br' : run.plan.arms[0];
}

function fitArm(
  run: SweepRun,
  arm: Coding,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): ArmFit {
  const pairs = points
    .filter((point) => point.storage !== 'none')
    .map((point) => [point.measuredDelayMs?.p50, medianOf(point, arm)] as const)
    .filter((pair): pair is [number, number] => pair.every((value) => typeof value === 'number'));
  const fit = fitLine(pairs);
  const stored = run.stored.find((entry) => entry.arm === arm);
  return {
    arm,
    slopeMsPerMs: fit?.slope ?? null,
    slopeLow: fit?.slopeInterval.low ?? null,
    slopeHigh: fit?.slopeInterval.high ?? null,
    interceptMs: fit?.intercept ?? null,
    r2: fit?.r2 ?? null,
    points: pairs.length,
    ...deviceMedians(
      usable(samples).filter(({ cell }) => cell.arm === arm && cell.storage !== 'none'),
    ),
    storedBytes: stored?.storedBytes ?? null,
    wireBytes: stored?.wireBytes ?? null,
    decodedBytes: stored?.decodedBytes ?? null,
  };
}

function medianOf(point: SweepPoint, arm: Coding): number | null | undefined {
  return point.arms.find((candidate) => candidate.arm === arm)?.medianMs;
}

function countSamples(samples: readonly Sample[]): SampleCounts {
  const timed = samples.filter((sample) => sample.kind === 'timed');
  const bearing = (flag: SampleFlag): number =>
    timed.filter((sample) => sample.flags.includes(flag)).length;
  return {
    samples: samples.length,
    used: usable(samples).length,
    companions: samples.length - timed.length,
    flagged: {
      'source-not-disk': bearing('source-not-disk'),
      'origin-touched': bearing('origin-touched'),
      'device-silent': bearing('device-silent'),
      'wrong-body': bearing('wrong-body'),
      'read-failed': bearing('read-failed'),
    },
  };
}
