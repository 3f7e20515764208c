import type { PointOfSeries } from './hit-model-point.ts';
import { digits, milliseconds } from './quantity.ts';
import type { Interval } from './statistics/interval.ts';
import { studentCritical } from './statistics/student-t.ts';
import { type Line, relativeLine, relativeLineErrors } from './statistics/weighted-line.ts';
import type { Series } from './sweep-series.ts';

/** A delay that was measured, and what the model says of it. */
export interface ModelledPoint extends Omit<PointOfSeries, 'drawnMs'> {
  predictedMs: number;
  /** Measured less predicted, ms. */
  residualMs: number;
  /** The same as a share of what was measured. */
  residualShare: number;
  /** The prediction is off by more than a tenth, and lies outside the median's interval where that is known. */
  isOff: boolean;
}

/**
 * The model of a cached read: read time = base + waits x delay of the device. The base holds what does not depend on the
 * delay: messages and threads of the browser, bytes over the run's own device, decoding. The waits are the device reads that
 * a read waits for one after another.
 */
export interface HitModel {
  series: Series;
  /** Read time on a device without delay, ms. */
  baseMs: number;
  baseInterval: Interval | null;
  /** ms of read time for each ms of delay. */
  waits: number;
  /** 95 %, from whole launches drawn anew, and never narrower than the points' distances from the line say. */
  waitsInterval: Interval | null;
  points: ModelledPoint[];
  /** Whether the model describes this series. */
  verdict: 'holds' | 'fails';
  /** Why it fails; null when it holds. */
  why: string | null;
  /** Base and waits of each resample. */
  draws: Line[];
}

/** A model needs more points than it has figures. */
export const fewestPoints = 3;

const offShare = 0.1;
/** A model of which more than a fifth of the points are off fails, and one that is off by more than a quarter anywhere. */
const mostOffShare = 0.2;
const wildShare = 0.25;

/** Fits the model to one series; null with fewer than 3 delays. */
export function hitModel(series: Series, points: readonly PointOfSeries[]): HitModel | null {
  const pairs = points.map(({ delayMs, medianMs }) => [delayMs, medianMs] as const);
  const line = points.length < fewestPoints ? null : relativeLine(pairs);
  if (line === null) return null;
  const draws = drawnLines(points);
  const errors = relativeLineErrors(pairs, line);
  const modelled = points.map((point) => modelledPoint(point, line));
  const off = modelled.filter(({ isOff }) => isOff);
  const why = whyItFails(line, off, modelled.length);
  return {
    series,
    baseMs: line.intercept,
    baseInterval: intervalOf('intercept', line, draws, errors, points),
    waits: line.slope,
    waitsInterval: intervalOf('slope', line, draws, errors, points),
    points: modelled,
    verdict: why === null ? 'holds' : 'fails',
    why,
    draws,
  };
}

/** What the model says of a delay, ms. */
export function modelledMs({ baseMs, waits }: HitModel, delayMs: number): number {
  return baseMs + waits * delayMs;
}

/** The same with its 95 % interval. */
export function modelledInterval(model: HitModel, delayMs: number): Interval {
  const all = model.draws.map(({ intercept, slope }) => intercept + slope * delayMs);
  const spread = deviation(all) * reachOf(model.points);
  const ms = modelledMs(model, delayMs);
  return { low: ms - spread, high: ms + spread };
}

function drawnLines(points: readonly PointOfSeries[]): Line[] {
  const count = Math.min(...points.map(({ drawnMs }) => drawnMs.length));
  return Array.from({ length: count }, (_, draw) =>
    relativeLine(points.map(({ delayMs, drawnMs }) => [delayMs, drawnMs[draw] ?? Number.NaN])),
  ).filter((line) => line !== null);
}

function modelledPoint(measured: PointOfSeries, line: Line): ModelledPoint {
  const { drawnMs: _, ...point } = measured;
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
    isOff: Math.abs(residualShare) > offShare && outside,
  };
}

function whyItFails(line: Line, off: readonly ModelledPoint[], points: number): string | null {
  if (line.slope < 0) return 'the read time falls with the delay';
  const isWild = off.some(({ residualShare }) => Math.abs(residualShare) > wildShare);
  if (off.length <= mostOffShare * points && !isWild) return null;
  const places = off.map(
    ({ requestedDelayMs, predictedMs, medianMs }) =>
      `${milliseconds(requestedDelayMs)} (${digits(predictedMs)} said, ${milliseconds(medianMs)} measured)`,
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
  const byLaunch = deviation(draws.map((draw) => draw[of])) * reachOf(points);
  const byResidual = errors === null ? 0 : errors[of] * studentCritical(0.95, points.length - 2);
  const reach = Math.max(Number.isFinite(byLaunch) ? byLaunch : 0, byResidual);
  return reach > 0 ? { low: line[of] - reach, high: line[of] + reach } : null;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, values.length - 1));
}

/**
 * How many standard deviations of the resamples an interval of 95 % reaches. Resamples of n launches take the variance for
 * (n - 1) / n too small and the normal law for Student's (Hesterberg 2015, 4.1.3); each launch but one at each point is a
 * degree of freedom. 0 when no point has two launches: they show nothing of what launches differ by.
 */
export function reachOf(points: readonly { launches: number }[]): number {
  const launches = points.reduce((sum, point) => sum + point.launches, 0);
  const freedom = launches - points.length;
  if (freedom < 1) return 0;
  return studentCritical(0.95, freedom) * Math.sqrt(launches / freedom);
}
