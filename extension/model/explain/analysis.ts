import { type BreakEven, breakEvens, type NetworkSaving, savingsAt } from './break-even.ts';
import { diskProfiles } from './disk-profile.ts';
import type { DiskPrediction, Explanation } from './explanation.ts';
import { explanationAnswer } from './answer.ts';
import { type FirstLoadGap, firstLoadGaps } from './first-load.ts';
import { heldOut } from './held-out.ts';
import { type HitModel, hitModel } from './hit-model.ts';
import { pointsOfSeries } from './hit-model-point.ts';
import { type PredictionInputs, predictHit } from './hit-prediction.ts';
import { serialReadWitnesses } from './serial-read-witness.ts';
import { throughputReadBytes } from '../run/base.ts';
import type { SweepReads } from '../sweep/reads.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { SweepRun } from '../sweep/run.ts';
import { isRecompressed } from '../sweep/recompressed.ts';
import { baselineArm, isSameSeries, type Series } from '../sweep/series.ts';
import type { SweepSummary } from '../sweep/summary.ts';
import { trustedFinding } from '../run/trust.ts';
import type { TracedRead } from './traced-read.ts';
import { fitWaits, type WaitModel } from './wait-model.ts';
import { formTimes } from './stored-form.ts';

/** Explains a sweep. */
export function explain(
  run: SweepRun,
  summary: SweepSummary,
  reads: SweepReads,
  traced: readonly TracedRead[],
): Explanation<HitModel> {
  const points = pointsOfSeries(run, summary.points, reads);
  const fitted = points.map(({ series, points: own }) => hitModel(series, own));
  const models = fitted.filter((model) => model !== null);
  const waitModel = fitWaits(models, summary.fits);
  const firstLoads = firstLoadGaps(run, summary, reads);
  const found = {
    models,
    unmodelled: points.map(({ series }) => series).filter((_, index) => fitted[index] === null),
    waitModel,
    witnesses: serialReadWitnesses(models, traced),
    heldOut: heldOut(points),
    breakEvens:
      summary.trust.grade === 'poor' ? [] : breakEvensOf(run, summary, models, firstLoads),
    predictions: predictionsOf(run, summary, models, waitModel),
    formTimes: formTimes(run, summary, reads),
    firstLoads,
    codingCosts: run.codingCosts ?? [],
  };
  const answer = trustedFinding(summary.trust, explanationAnswer(run, summary, found));
  return { ...found, answer };
}

function breakEvensOf(
  run: SweepRun,
  { fits, points }: SweepSummary,
  models: readonly HitModel[],
  firstLoads: readonly FirstLoadGap[],
): BreakEven[] {
  const baseline = baselineArm(run.plan);
  const wireOf = (series: Series): number | null =>
    fits.find((fit) => isSameSeries(fit, series))?.wireBytes ?? null;
  // A line that does not fit its points has no meaningful intersection with another line.
  const sound = models.filter(({ verdict }) => verdict === 'holds');
  return sound
    .filter(({ series }) => series.arm === 'dcb' || series.arm === 'dcz')
    .flatMap((of) => {
      const against = sound.find(
        ({ series }) =>
          baseline !== undefined && isSameSeries(series, { ...stockOf(of.series), arm: baseline }),
      );
      if (!against || against === of) return [];
      const [sent, without] = [wireOf(of.series), wireOf(against.series)];
      const saved = sent === null || without === null ? null : without - sent;
      return breakEvens(
        of,
        against,
        measured(run, of.series, firstLoads) ?? savingsAt(saved),
        points,
      );
    });
}

/** What first loads of the arm saved over the link of the run, on ordinary storage; undefined: not measured. */
function measured(
  { plan }: SweepRun,
  { arm, workload }: Series,
  firstLoads: readonly FirstLoadGap[],
): NetworkSaving[] | undefined {
  // Only the first workload has first loads.
  if (!plan.link || workload !== plan.workloads?.[0]?.name) return undefined;
  const gap = firstLoads.find(({ storage, of }) => storage === 'none' && of === arm);
  if (!gap || gap.differenceMs === null) return undefined;
  const { name: link } = plan.link;
  return [{ networkBitsPerSecond: null, link, savedMs: -gap.differenceMs }];
}

/** The series of the same arm as the browser stores it today. */
function stockOf({ variant, ...series }: Series): Series {
  return isRecompressed({ variant }) ? series : { ...series, variant };
}

function predictionsOf(
  run: SweepRun,
  summary: SweepSummary,
  models: readonly HitModel[],
  waitModel: WaitModel | null,
): DiskPrediction[] {
  const inputs = inputsOf(run, summary, waitModel);
  const asked = (run.plan.disks ?? []).map((disk) => ({ ...disk, source: 'as requested' }));
  const disks = [...diskProfiles, ...asked];
  return models.flatMap((model) => {
    const fit = summary.fits.find((each) => isSameSeries(each, model.series));
    const bytes = fit?.deviceReadBytes ?? fit?.storedBytes ?? null;
    return disks.map((disk) => ({ disk, ...predictHit(model, bytes, disk, inputs) }));
  });
}

/** The inputs of predictions: transfer time and read-ahead of the run's own device, and the model of the waits. */
export function inputsOf(
  run: SweepRun,
  { points }: SweepSummary,
  waitModel: WaitModel | null,
): PredictionInputs {
  // Where the delay is shortest, its variation falsifies the transfer time least.
  const transferMs = points
    .filter(({ storage }) => storage !== 'none')
    .toSorted((a, b) => (a.measuredDelayMs?.p50 ?? 0) - (b.measuredDelayMs?.p50 ?? 0))
    .map(msPerByte)
    .find((ms) => ms !== null);
  const [, told] = /read-ahead (\d+) KiB/.exec(run.environment.storage) ?? [];
  return {
    ownMsPerByte: transferMs ?? null,
    ownReadAheadKiB: run.plan.settings?.readAheadKiB ?? (told === undefined ? null : Number(told)),
    waitModel,
  };
}

/** Transfer time of a byte: a large direct read without the delay that it contains, ms; null: not measured. */
function msPerByte({ throughputBytesPerSecond, measuredDelayMs }: SweepPoint): number | null {
  if (throughputBytesPerSecond === null || measuredDelayMs === null) return null;
  const readMs = (1000 * throughputReadBytes) / throughputBytesPerSecond;
  return Math.max(0, readMs - measuredDelayMs.p50) / throughputReadBytes;
}
