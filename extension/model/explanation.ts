import { type BreakEven, breakEvens } from './break-even.ts';
import { type DiskProfile, diskProfiles } from './disk-profile.ts';
import { explanationAnswer } from './explanation-answer.ts';
import { type FirstLoadGap, firstLoadGaps } from './first-load.ts';
import { type HeldOut, heldOut } from './held-out.ts';
import { type HitModel, hitModel } from './hit-model.ts';
import { pointsOfSeries } from './hit-model-point.ts';
import { type HitPrediction, type PredictionGround, predictHit } from './hit-prediction.ts';
import type { Sample } from './sample.ts';
import { type SerialReadWitnesses, serialReadWitnesses } from './serial-read-witness.ts';
import type { CodingCost, SweepRun } from './sweep-run.ts';
import { baselineArm, isSameSeries, type Series } from './sweep-series.ts';
import type { SweepSummary } from './sweep-summary.ts';
import type { TracedRead } from './traced-read.ts';
import { type WaitLaw, waitLaw } from './wait-law.ts';
import { type WhatIf, whatIfs } from './what-if.ts';

/** A prediction for a disk of the profiles. */
export interface DiskPrediction extends HitPrediction {
  disk: DiskProfile;
}

/** What explains a sweep: derived from its run, its samples and its traced reads, and made again at any time. */
export interface Explanation {
  /** One a series that has delays enough; series in the plan's order. */
  models: HitModel[];
  /** Series without a model, for want of delays. */
  unmodelled: Series[];
  law: WaitLaw | null;
  witnesses: SerialReadWitnesses[];
  heldOut: HeldOut;
  /** DCB and DCZ against the baseline, of each workload whose models hold. */
  breakEvens: BreakEven[];
  predictions: DiskPrediction[];
  whatIfs: WhatIf[];
  firstLoads: FirstLoadGap[];
  codingCosts: CodingCost[];
  /** What the data say to the question of the source document, in sentences. Never empty. */
  answer: string[];
}

/** True for the series of a workload that is only part of another one's emulated hit. */
export function isPart({ plan }: Pick<SweepRun, 'plan'>, { workload }: Series): boolean {
  return plan.workloads?.find(({ name }) => name === workload)?.part !== undefined;
}

/** Explains a sweep. */
export function explain(
  run: SweepRun,
  summary: SweepSummary,
  samples: readonly Sample[],
  traced: readonly TracedRead[],
): Explanation {
  const points = pointsOfSeries(run, summary.points, samples);
  const fitted = points.map(({ series, points: own }) => hitModel(series, own));
  const models = fitted.filter((model) => model !== null);
  const law = waitLaw(models, summary.fits);
  const shown = models.filter(({ series }) => !isPart(run, series));
  const found = {
    models,
    unmodelled: points.map(({ series }) => series).filter((_, index) => fitted[index] === null),
    law,
    witnesses: serialReadWitnesses(models, traced),
    heldOut: heldOut(points),
    breakEvens: breakEvensOf(run, summary, shown),
    predictions: predictionsOf(run, summary, shown, law),
    whatIfs: whatIfs(run, summary.points, samples),
    firstLoads: firstLoadGaps(run, summary.points, samples),
    codingCosts: run.codingCosts ?? [],
  };
  return { ...found, answer: explanationAnswer(run, summary, found) };
}

function breakEvensOf(
  run: SweepRun,
  { fits }: SweepSummary,
  models: readonly HitModel[],
): BreakEven[] {
  const baseline = baselineArm(run.plan);
  const wireOf = (series: Series): number | null =>
    fits.find((fit) => isSameSeries(fit, series))?.wireBytes ?? null;
  // A line that does not describe its points crosses another anywhere.
  const sound = models.filter(({ verdict }) => verdict === 'holds');
  return sound
    .filter(({ series }) => series.arm === 'dcb' || series.arm === 'dcz')
    .flatMap((of) => {
      const against = sound.find(
        ({ series }) =>
          baseline !== undefined && isSameSeries(series, { ...of.series, arm: baseline }),
      );
      if (!against || against === of) return [];
      const [sent, without] = [wireOf(of.series), wireOf(against.series)];
      const saved = sent === null || without === null ? null : without - sent;
      return breakEvens(of, against, saved);
    });
}

function predictionsOf(
  run: SweepRun,
  summary: SweepSummary,
  models: readonly HitModel[],
  law: WaitLaw | null,
): DiskPrediction[] {
  const ground = groundOf(run, summary, law);
  return models.flatMap((model) => {
    const fit = summary.fits.find((each) => isSameSeries(each, model.series));
    const bytes = fit?.deviceReadBytes ?? fit?.storedBytes ?? null;
    return diskProfiles.map((disk) => ({ disk, ...predictHit(model, bytes, disk, ground) }));
  });
}

/** What predictions start from: the run's own device at its best. */
export function groundOf(
  run: SweepRun,
  { points }: SweepSummary,
  law: WaitLaw | null,
): PredictionGround {
  const rates = points
    .filter(({ storage }) => storage !== 'none')
    .map(({ throughputBytesPerSecond }) => throughputBytesPerSecond)
    .filter((rate) => rate !== null);
  const [, told] = /read-ahead (\d+) KiB/.exec(run.environment.storage) ?? [];
  return {
    ownBandwidthBytesPerSecond: rates.length === 0 ? null : Math.max(...rates),
    ownReadAheadKiB: run.plan.settings?.readAheadKiB ?? (told === undefined ? null : Number(told)),
    law,
  };
}
