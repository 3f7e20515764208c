import { type HitModel, criticalValueOf } from './hit-model.ts';
import type { Line } from '../statistics/weighted-line.ts';
import type { Series } from '../sweep/series.ts';

/**
 * Break-even delay: the device delay from which, or below which, a hit of one arm costs more than a hit of the other.
 */
export interface BreakEven {
  of: Series;
  against: Series;
  /**
   * Rate of the network whose saving is subtracted from the cost of the hit of `of`: one first load and one hit
   * together. null: nothing is subtracted, only the hits are compared.
   */
  networkBitsPerSecond: number | null;
  /** Network time that `of` saved at that rate, ms; 0 without a rate. */
  savedMs: number;
  /**
   * Delays of the device at which a hit of `of` is slower: `above` or `below` `delayMs`, `always` or `never`.
   */
  slower: 'above' | 'below' | 'always' | 'never';
  /** Delay of one device read, ms; null for `always` and `never`. */
  delayMs: number | null;
  /**
   * For `always` and `never`: whether at least 95 % of the resamples, widened in the same way as a model's interval, give
   * the same result. On a fast device the bases decide; they may be too similar to distinguish, and this is then false.
   * Also false with one launch per point: the variation between launches is unknown. Always true for `above` and `below`,
   * whose uncertainty is in the interval.
   */
  isShown: boolean;
  /** 95 %; a null end: 0, or above any delay. null: unknown, and for `always` and `never`. */
  interval: { low: number | null; high: number | null } | null;
}

/**
 * Network rates for which a break-even is computed, bits per second: DevTools' presets Slow 4G and Fast 4G (1.6 and 9
 * Mbit/s), and three faster ones.
 */
export const networkRates: readonly number[] = [1.6e6, 9e6, 50e6, 200e6, 1e9];

/** Break-even of two models of one run, without a network rate and at each rate. */
export function breakEvens(
  of: HitModel,
  against: HitModel,
  savedBytes: number | null,
  rates: readonly number[] = networkRates,
): BreakEven[] {
  const known = savedBytes === null ? [] : rates;
  const widening = wideningOf([of, against]);
  return [null, ...known].map((rate) => {
    const savedMs = rate === null ? 0 : (1000 * 8 * (savedBytes ?? 0)) / rate;
    const { slower, delayMs } = crossingOf(lineOf(of), lineOf(against), savedMs);
    const drawn = (factor: number) => drawnCrossings(of, against, savedMs, factor);
    return {
      of: of.series,
      against: against.series,
      networkBitsPerSecond: rate,
      savedMs,
      slower,
      delayMs,
      isShown: delayMs !== null || (widening !== null && isShown(slower, drawn(widening))),
      interval: delayMs === null || widening === null ? null : intervalOf(slower, drawn(widening)),
    };
  });
}

function lineOf({ baseMs, waits }: HitModel): Line {
  return { intercept: baseMs, slope: waits };
}

/**
 * Factor from the spread of the resamples to that of a 95 % interval of the models. null with one launch per point: the
 * variation between launches is unknown.
 */
function wideningOf(models: readonly HitModel[]): number | null {
  const criticals = models.map(({ points }) => criticalValueOf(points));
  const known = criticals.filter((critical) => critical !== null);
  return known.length < models.length ? null : Math.max(...known) / normalCritical;
}

type Crossing = Pick<BreakEven, 'slower' | 'delayMs'>;

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

const shownShare = 0.95;

function isShown(slower: BreakEven['slower'], drawn: readonly Crossing[]): boolean {
  const same = drawn.filter((each) => each.slower === slower).length;
  return drawn.length > 0 && same >= shownShare * drawn.length;
}

/**
 * Interval of the crossings of widened resamples. A resample without a crossing counts as one at infinity or at minus
 * infinity. Widening the crossings instead of the lines would leave the share without a crossing too small.
 */
function intervalOf(slower: Crossing['slower'], drawn: readonly Crossing[]): BreakEven['interval'] {
  if (drawn.length === 0) return null;
  // Slower `above` infinity is slower at no delay, slower `below` infinity at every delay.
  const atInfinity = slower === 'below' ? 'always' : 'never';
  const sorted = Float64Array.from(
    drawn,
    (each) => each.delayMs ?? (each.slower === atInfinity ? Infinity : -Infinity),
  ).toSorted();
  const end = (share: number): number | null => {
    const ms = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
    return Number.isFinite(ms) && ms > 0 ? ms : null;
  };
  return { low: end(0.025), high: end(0.975) };
}

/** 95 % of a normal distribution is within this number of standard deviations. */
const normalCritical = 1.96;
