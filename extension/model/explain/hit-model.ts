import { least } from '../extremes.ts';
import type { PointOfSeries } from './hit-model-point.ts';
import { milliseconds } from '../quantity.ts';
import type { Interval } from '../statistics/interval.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import { robustLine } from '../statistics/robust-line.ts';
import { studentCritical, studentTwoSided } from '../statistics/student-t.ts';
import {
  type Line,
  relativeCurvature,
  relativeLine,
  relativeLineErrors,
} from '../statistics/weighted-line.ts';
import type { Series } from '../sweep/series.ts';

/** A measured delay, with the model's prediction for it. */
export interface ModelledPoint extends Omit<PointOfSeries, 'drawnMs' | 'drawnDelayMs'> {
  predictedMs: number;
  /** Measured minus predicted, ms. */
  residualMs: number;
  /** The same as a share of the measured value. */
  residualShare: number;
  /**
   * The prediction is off by more than 10 %, and outside the median's interval where that is known; or the fit excludes
   * the point.
   */
  isOff: boolean;
  /** The point is excluded from the fit as an outlier. */
  isExcluded: boolean;
}

/** Test for a curvature of the points away from a straight line. */
export interface ModelCurvature {
  /** Largest distance between the line and a parabola, as a share of the read time. */
  share: number;
  /** p-value of the curvature if the true relation is a line, from the variation between launches. null: unknown. */
  p: number | null;
}

/**
 * The model of a cached read: read time = base + waits x delay of the device. The base contains everything that does
 * not depend on the delay: messages and threads of the browser, transfer of the bytes from the run's own device,
 * decoding. The waits estimate the serial device reads of a cached read.
 */
export interface FittedModel {
  series: Series;
  /** Read time on a device without delay, ms. */
  baseMs: number;
  baseInterval: Interval | null;
  /** ms of read time for each ms of delay. */
  waits: number;
  /**
   * 95 %, from resampled launches with their delay checks, and at least as wide as the residuals from the line imply.
   * null with fewer than 3 launches of a point: the variation between launches is unknown.
   */
  waitsInterval: Interval | null;
  points: ModelledPoint[];
  /** Whether the model fits this series. */
  verdict: 'holds' | 'fails';
  /** Why it fails; null when it holds. */
  why: string | null;
  /** null with fewer than 4 delays. */
  curvature: ModelCurvature | null;
}

/** A fitted model with the resamples behind its intervals. */
export interface HitModel extends FittedModel {
  /** Base and waits of each resample. */
  draws: Line[];
}

/** A model needs more points than parameters. */
export const fewestPoints = 3;

const offShare = 0.1;
/** A model fails when more than 20 % of its points are off, or when one of these is off by more than 25 %. */
const mostOffShare = 0.2;
const wildShare = 0.25;

/** Fits the model to one series; null with fewer than 3 delays. */
export function hitModel(series: Series, points: readonly PointOfSeries[]): HitModel | null {
  const fit = points.length < fewestPoints ? null : robustLine(points.map(measured));
  if (fit === null) return null;
  const { line, leftOut } = fit;
  const kept = points.filter((_, index) => !leftOut.includes(index));
  const draws = drawn(kept, relativeLine);
  const errors = relativeLineErrors(kept.map(measured), line);
  const modelled = points.map((point, index) =>
    modelledPoint(point, line, leftOut.includes(index)),
  );
  const off = modelled.filter(({ isOff }) => isOff);
  const why = whyItFails(line, off, modelled.length);
  return {
    series,
    baseMs: line.intercept,
    baseInterval: intervalOf('intercept', line, draws, errors, kept),
    waits: line.slope,
    waitsInterval: intervalOf('slope', line, draws, errors, kept),
    points: modelled,
    verdict: why === null ? 'holds' : 'fails',
    why,
    curvature: curvatureOf(kept),
    draws,
  };
}

function measured({
  delayMs,
  medianMs,
}: Pick<PointOfSeries, 'delayMs' | 'medianMs'>): [number, number] {
  return [delayMs, medianMs];
}

/** Applies a function to each resample of the launches; null results are dropped. */
function drawn<T>(
  points: readonly PointOfSeries[],
  estimateOf: (points: [number, number][]) => T | null,
): T[] {
  const count = least(points.map(({ drawnMs }) => drawnMs.length));
  return Array.from({ length: count }, (_, draw) =>
    estimateOf(
      points.map(({ drawnDelayMs, drawnMs }) => [
        drawnDelayMs[draw] ?? Number.NaN,
        drawnMs[draw] ?? Number.NaN,
      ]),
    ),
  ).filter((line) => line !== null);
}

function curvatureOf(points: readonly PointOfSeries[]): ModelCurvature | null {
  const curvature = relativeCurvature(points.map(measured));
  if (curvature === null) return null;
  const launches = leastLaunches(points);
  if (launches < fewestLaunches) return { share: curvature.share, p: null };
  const all = drawn(points, relativeCurvature).map(({ coefficient }) => coefficient);
  const error = deviation(all) * Math.sqrt(launches / (launches - 1));
  const p =
    curvature.coefficient === 0 ? 1 : studentTwoSided(curvature.coefficient / error, launches - 1);
  return { share: curvature.share, p };
}

/** Predicted read time at a delay, ms. */
export function modelledMs({ baseMs, waits }: HitModel, delayMs: number): number {
  return baseMs + waits * delayMs;
}

/**
 * Its 95 % interval, at least as wide as the residuals from the line imply; null with fewer than 3 launches of a point. It is the
 * base's interval of the same points with this delay as the origin.
 */
export function modelledInterval(model: HitModel, delayMs: number): Interval | null {
  const from = (line: Line): Line => ({
    ...line,
    intercept: line.intercept + line.slope * delayMs,
  });
  const line = from({ intercept: model.baseMs, slope: model.waits });
  const kept = model.points
    .filter(({ isExcluded }) => !isExcluded)
    .map((point) => ({ ...point, delayMs: point.delayMs - delayMs }));
  const errors = relativeLineErrors(kept.map(measured), line);
  return intervalOf('intercept', line, model.draws.map(from), errors, kept);
}

function modelledPoint(taken: PointOfSeries, line: Line, isExcluded: boolean): ModelledPoint {
  const { drawnMs: _, drawnDelayMs: __, ...point } = taken;
  const predictedMs = line.intercept + line.slope * point.delayMs;
  const residualMs = point.medianMs - predictedMs;
  const residualShare = residualMs / point.medianMs;
  const { lowMs, highMs } = point;
  const outside = lowMs === null || highMs === null || predictedMs < lowMs || predictedMs > highMs;
  return {
    ...point,
    predictedMs,
    residualMs,
    residualShare,
    isOff: isExcluded || (Math.abs(residualShare) > offShare && outside),
    isExcluded,
  };
}

function whyItFails(line: Line, off: readonly ModelledPoint[], points: number): string | null {
  if (line.slope < 0) return 'the read time decreases with the delay';
  const isWild = off.some(({ residualShare }) => Math.abs(residualShare) > wildShare);
  if (off.length <= mostOffShare * points && !isWild) return null;
  const places = off.map(
    ({ requestedDelayMs, predictedMs, medianMs }) =>
      `${milliseconds(requestedDelayMs)} (${milliseconds(predictedMs)} predicted, ${milliseconds(medianMs)} measured)`,
  );
  return `it is off by more than a tenth at ${places.join(', ')}`;
}

function intervalOf(
  of: keyof Line,
  line: Line,
  draws: readonly Line[],
  errors: Line | null,
  points: readonly { launches: number }[],
): Interval | null {
  const critical = criticalValueOf(points);
  if (critical === null) return null;
  const byLaunch = deviation(draws.map((draw) => draw[of])) * critical;
  const byResidual = errors === null ? 0 : errors[of] * studentCritical(0.95, points.length - 2);
  const widest = Math.max(byLaunch, byResidual);
  return { low: line[of] - widest, high: line[of] + widest };
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1));
}

/**
 * Half-width of a 95 % interval in standard deviations of the resamples. Resamples of n launches underestimate the
 * variance by the factor (n - 1) / n, and the normal distribution underestimates Student's t (Hesterberg 2015, 4.1.3).
 * null when a point has fewer than 3 launches: the variation between launches is then unknown.
 */
export function criticalValueOf(points: readonly { launches: number }[]): number | null {
  const launches = leastLaunches(points);
  if (launches < fewestLaunches) return null;
  return studentCritical(0.95, launches - 1) * Math.sqrt(launches / (launches - 1));
}

function leastLaunches(points: readonly { launches: number }[]): number {
  return points.length === 0 ? 0 : least(points.map(({ launches }) => launches));
}
