import { greatest, least } from '../extremes.ts';
import type { Interval } from '../statistics/interval.ts';
import { quantile } from '../statistics/quantile.ts';
import type { Line } from '../statistics/weighted-line.ts';
import { delayOf } from '../sweep/delay-checks.ts';
import { gapBetween } from '../sweep/gap-outcomes.ts';
import type { SweepPoint } from '../sweep/result.ts';
import type { Series } from '../sweep/series.ts';
import { criticalValueOf, type HitModel } from './hit-model.ts';

/**
 * Break-even delay: the delay of a device read above which, or below which, a hit of one arm costs more than a hit of
 * the other. It is shown only where the model's estimate and interval are inside the measured range, and where measured
 * gaps below it and above it have opposite verdicts.
 */
export interface BreakEven {
  of: Series;
  against: Series;
  /**
   * Rate of the network whose saving is subtracted from the cost of the hit of `of`: one first load and one hit
   * together. null: the saving was measured over `link`, or nothing is subtracted and only the hits are compared.
   */
  networkBitsPerSecond: number | null;
  /** The emulated link over which the saving was measured; absent: it is computed, or there is none. */
  link?: string;
  /** Network time that `of` saved, ms; 0 where nothing is subtracted. */
  savedMs: number;
  /** Side of `delayMs` on which a hit of `of` costs more; null: no break-even is shown. */
  slower: 'above' | 'below' | null;
  /** Delay of one device read, ms; null: none is shown. */
  delayMs: number | null;
  /** 95 %; null: none is shown. */
  interval: Interval | null;
  /** The measured range: the least and the greatest delay of a device read, ms. */
  measuredMs: Interval;
  /**
   * The extra time of a hit of `of` by the models, over the measured range: it is `savedMs` at the break-even. Absent where
   * a saving is subtracted, and with fewer than 3 launches of a point.
   */
  extra?: readonly ExtraTime[];
}

/** The difference of two modelled hits at a delay of a device read, with its 95 % interval; all in ms. */
export interface ExtraTime {
  delayMs: number;
  ms: number;
  lowMs: number;
  highMs: number;
}

/** Number of steps over the measured range. */
const extraSteps = 12;

/**
 * Network rates for which a break-even is computed, bits per second: DevTools' presets Slow 4G and Fast 4G (1.6 and 9
 * Mbit/s), and three faster ones.
 */
const networkRates: readonly number[] = [1.6e6, 9e6, 50e6, 200e6, 1e9];

/** What the first load saved on a network. */
export type NetworkSaving = Pick<BreakEven, 'networkBitsPerSecond' | 'link' | 'savedMs'>;

/** The computed savings of fewer bytes at each rate; none for an unknown number of bytes. */
export function savingsAt(
  savedBytes: number | null,
  rates: readonly number[] = networkRates,
): NetworkSaving[] {
  if (savedBytes === null) return [];
  return rates.map((rate) => ({ networkBitsPerSecond: rate, savedMs: (8000 * savedBytes) / rate }));
}

/** Break-even of two models of one run, without a network and with the saving on each. */
export function breakEvens(
  of: HitModel,
  against: HitModel,
  savings: readonly NetworkSaving[],
  points: readonly SweepPoint[],
): BreakEven[] {
  const delaysMs = of.points.map(({ delayMs }) => delayMs);
  const measuredMs = { low: least(delaysMs), high: greatest(delaysMs) };
  const gaps = measuredGaps(of.series, against.series, points);
  const widening = wideningOf([of, against]);
  const extra = widening === null ? [] : extraTimes(of, against, widening, measuredMs);
  return [{ networkBitsPerSecond: null, savedMs: 0 }, ...savings].map((saving) => {
    const { savedMs } = saving;
    const crossing = crossingOf(lineOf(of), lineOf(against), savedMs);
    const drawn = widening === null ? [] : drawnCrossings(of, against, savedMs, widening);
    const shown = shownCrossing(crossing, drawn, measuredMs);
    const isShown = shown !== null && isMeasuredOnBothSides(shown, savedMs, gaps);
    return {
      of: of.series,
      against: against.series,
      ...saving,
      ...(isShown ? shown : { slower: null, delayMs: null, interval: null }),
      measuredMs,
      ...(savedMs === 0 && extra.length > 0 && { extra }),
    };
  });
}

/** The same resamples as those of the crossings: where an end of the interval crosses 0, one of theirs does. */
function extraTimes(
  of: HitModel,
  against: HitModel,
  factor: number,
  { low, high }: Interval,
): ExtraTime[] {
  const drawn = of.draws.flatMap((line, draw) => {
    const other = against.draws[draw];
    return other ? [[widened(line, of, factor), widened(other, against, factor)] as const] : [];
  });
  return Array.from({ length: extraSteps + 1 }, (_, step) => {
    const delayMs = low + ((high - low) * step) / extraSteps;
    const at = ({ intercept, slope }: Line) => intercept + slope * delayMs;
    const values = drawn.map(([one, other]) => at(one) - at(other));
    const [lowMs, highMs] = [quantile(values, 0.025), quantile(values, 0.975)];
    const ms = at(lineOf(of)) - at(lineOf(against));
    return { delayMs, ms, lowMs: lowMs ?? Number.NaN, highMs: highMs ?? Number.NaN };
  }).filter(({ lowMs }) => !Number.isNaN(lowMs));
}

/** A measured gap: the delay of a device read, and the interval of the difference of the hits, ms. */
interface MeasuredGap {
  delayMs: number;
  lowMs: number;
  highMs: number;
}

function measuredGaps(of: Series, against: Series, points: readonly SweepPoint[]): MeasuredGap[] {
  return points.flatMap((point) => {
    const gap = point.storage === 'none' ? undefined : gapBetween(point, of, against);
    const delayMs = delayOf(point, of);
    if (!gap || gap.lowMs === null || gap.highMs === null || delayMs === null) return [];
    return [{ delayMs, lowMs: gap.lowMs, highMs: gap.highMs }];
  });
}

/** A crossing with its interval, where both are inside the measured range; null otherwise. */
function shownCrossing(
  { slower, delayMs }: Crossing,
  drawn: readonly Crossing[],
  measuredMs: Interval,
): { slower: 'above' | 'below'; delayMs: number; interval: Interval } | null {
  if (delayMs === null || slower === 'always' || slower === 'never') return null;
  const interval = intervalOf(slower, drawn);
  const isInside =
    interval !== null && interval.low >= measuredMs.low && interval.high <= measuredMs.high;
  return isInside ? { slower, delayMs, interval } : null;
}

/** Whether a hit costs more than was saved at a delay on one side, and less at one on the other, beyond chance. */
function isMeasuredOnBothSides(
  { slower, delayMs }: { slower: 'above' | 'below'; delayMs: number },
  savedMs: number,
  gaps: readonly MeasuredGap[],
): boolean {
  const [below, above] = [
    gaps.filter((gap) => gap.delayMs < delayMs),
    gaps.filter((gap) => gap.delayMs > delayMs),
  ];
  const [cheaper, dearer] = slower === 'above' ? [below, above] : [above, below];
  return (
    cheaper.some(({ highMs }) => highMs < savedMs) && dearer.some(({ lowMs }) => lowMs > savedMs)
  );
}

function lineOf({ baseMs, waits }: HitModel): Line {
  return { intercept: baseMs, slope: waits };
}

/**
 * Factor from the spread of the resamples to that of a 95 % interval of the models. null with fewer than 3 launches of a
 * point: the variation between launches is unknown.
 */
function wideningOf(models: readonly HitModel[]): number | null {
  const criticals = models.map(({ points }) => criticalValueOf(points));
  const known = criticals.filter((critical) => critical !== null);
  return known.length < models.length ? null : Math.max(...known) / normalCritical;
}

/** Where two lines cross: the side, or `always` or `never`, at which the first is higher; the delay, ms. */
interface Crossing {
  slower: 'above' | 'below' | 'always' | 'never';
  delayMs: number | null;
}

function crossingOf(of: Line, against: Line, savedMs: number): Crossing {
  const more = of.slope - against.slope;
  const moreAtZero = of.intercept - against.intercept - savedMs;
  const delayMs = -moreAtZero / more;
  if (moreAtZero > 0)
    return more < 0 ? { slower: 'below', delayMs } : { slower: 'always', delayMs: null };
  return more > 0 ? { slower: 'above', delayMs } : { slower: 'never', delayMs: null };
}

/** The crossing in each resample, with the resample's distance from the models' lines multiplied by the factor. */
function drawnCrossings(
  of: HitModel,
  against: HitModel,
  savedMs: number,
  factor: number,
): Crossing[] {
  return of.draws.flatMap((line, draw) => {
    const other = against.draws[draw];
    if (!other) return [];
    return [crossingOf(widened(line, of, factor), widened(other, against, factor), savedMs)];
  });
}

function widened(drawn: Line, model: HitModel, factor: number): Line {
  const line = lineOf(model);
  return {
    intercept: line.intercept + (drawn.intercept - line.intercept) * factor,
    slope: line.slope + (drawn.slope - line.slope) * factor,
  };
}

/**
 * Interval of the crossings of widened resamples. A resample without a crossing counts as one at infinity or at minus
 * infinity. Widening the crossings instead of the lines would leave the share without a crossing too small.
 */
function intervalOf(slower: Crossing['slower'], drawn: readonly Crossing[]): Interval | null {
  if (drawn.length === 0) return null;
  // Slower `above` infinity is slower at no delay, slower `below` infinity at every delay.
  const atInfinity = slower === 'below' ? 'always' : 'never';
  const sorted = Float64Array.from(
    drawn,
    (each) => each.delayMs ?? (each.slower === atInfinity ? Infinity : -Infinity),
  ).toSorted();
  const end = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { low: end(0.025), high: end(0.975) };
}

/** 95 % of a normal distribution is within this number of standard deviations. */
const normalCritical = 1.96;
