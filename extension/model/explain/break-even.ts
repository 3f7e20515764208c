import { type HitModel, reachOf } from './hit-model.ts';
import type { Line } from '../statistics/weighted-line.ts';
import type { Series } from '../sweep/series.ts';

/** From which delay of the device on a hit of one arm costs more than a hit of the other. */
export interface BreakEven {
  of: Series;
  against: Series;
  /**
   * Rate of the network whose saving is set against the dearer hit: one first load and one hit together. null: nothing is
   * set against it, the hits alone are compared.
   */
  networkBitsPerSecond: number | null;
  /** What `of` saved on the wire at that rate, ms; 0 without one. */
  savedMs: number;
  /** `from`: dearer from `delayMs` on; `until`: dearer below it; `always`: at every delay; `never`: at none. */
  dearer: 'from' | 'until' | 'always' | 'never';
  /** Delay of one device read, ms; null for `always` and `never`. */
  delayMs: number | null;
  /**
   * Of `always` and `never`: whether at least 95 of 100 resamples say the same. On a fast device the bases decide, which may
   * be too alike to tell; then this is false. True for the others, whose interval says how sure they are.
   */
  isShown: boolean;
  /** 95 %; an end that is null lies at 0 or beyond any delay. null: unknown, and for `always` and `never`. */
  interval: { low: number | null; high: number | null } | null;
}

/** Rates at which a break-even is told, bits per second: 3G, slow and fast 4G, cable, fibre. */
export const networkRates: readonly number[] = [1.6e6, 9e6, 50e6, 200e6, 1e9];

/** Break-even of two models of one run, without a network and at each rate. */
export function breakEvens(
  of: HitModel,
  against: HitModel,
  savedBytes: number | null,
  rates: readonly number[] = networkRates,
): BreakEven[] {
  const known = savedBytes === null ? [] : rates;
  return [null, ...known].map((rate) => {
    const savedMs = rate === null ? 0 : (1000 * 8 * (savedBytes ?? 0)) / rate;
    const { dearer, delayMs } = crossingOf(lineOf(of), lineOf(against), savedMs);
    return {
      of: of.series,
      against: against.series,
      networkBitsPerSecond: rate,
      savedMs,
      dearer,
      delayMs,
      isShown: delayMs !== null || isShown(of, against, savedMs, dearer),
      interval: delayMs === null ? null : intervalOf(of, against, savedMs, delayMs),
    };
  });
}

function lineOf({ baseMs, waits }: HitModel): Line {
  return { intercept: baseMs, slope: waits };
}

function crossingOf(
  of: Line,
  against: Line,
  savedMs: number,
): Pick<BreakEven, 'dearer' | 'delayMs'> {
  const more = of.slope - against.slope;
  const dearerAtZero = of.intercept - against.intercept - savedMs;
  const delayMs = -dearerAtZero / more;
  if (dearerAtZero > 0)
    return more < 0 ? { dearer: 'until', delayMs } : { dearer: 'always', delayMs: null };
  return more > 0 ? { dearer: 'from', delayMs } : { dearer: 'never', delayMs: null };
}

const shownShare = 0.95;

function isShown(
  of: HitModel,
  against: HitModel,
  savedMs: number,
  dearer: BreakEven['dearer'],
): boolean {
  const said = of.draws.flatMap((line, draw) => {
    const other = against.draws[draw];
    return other ? [crossingOf(line, other, savedMs).dearer] : [];
  });
  const same = said.filter((each) => each === dearer).length;
  return said.length > 0 && same >= shownShare * said.length;
}

/** Where the resamples cross, spread out as a model's own interval is: those dearer at once lie at 0, those never beyond all. */
function intervalOf(
  of: HitModel,
  against: HitModel,
  savedMs: number,
  delayMs: number,
): BreakEven['interval'] {
  const crossings = of.draws.flatMap((line, draw) => {
    const other = against.draws[draw];
    if (!other) return [];
    const crossing = crossingOf(line, other, savedMs);
    if (crossing.delayMs !== null) return [crossing.delayMs];
    return [crossing.dearer === 'never' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY];
  });
  const [reach, other] = [reachOf(of.points), reachOf(against.points)];
  if (reach === null || other === null || crossings.length === 0) return null;
  const sorted = Float64Array.from(crossings).toSorted();
  const rank = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  const end = (ms: number): number | null => {
    const spread = delayMs + (ms - delayMs) * (Math.max(reach, other) / normalReach);
    return Number.isFinite(spread) && spread > 0 ? spread : null;
  };
  return { low: end(rank(0.025)), high: end(rank(0.975)) };
}

/** Standard deviations within which a normal number lies in 95 %. */
const normalReach = 1.96;
