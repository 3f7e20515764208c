import { greatest } from '../extremes.ts';
import type { Interval } from '../statistics/interval.ts';
import { holm } from '../statistics/holm.ts';
import { launchesOf } from '../statistics/design.ts';
import { fewestLaunches, levelOf, levelOfReadings } from '../statistics/launch-level.ts';
import { median } from '../statistics/quantile.ts';
import { byLaunch, type Reading } from '../statistics/readings.ts';

/** A linear trend of time by size. */
export interface Trend {
  /** Intercept: time of a response without a body, ms. */
  baseMs: number;
  /** Above 0 when larger responses take longer. */
  msPerByte: number;
}

/** A line and its misfit: the sum of squared relative residuals. */
interface FittedTrend extends Trend {
  misfit: number;
}

/** Two lines, one before the break and one from the break on. */
interface BrokenTrend {
  before: Trend;
  /** Index of the first size on the second line. */
  firstOff: number;
  misfit: number;
}

/** The times of one response size. */
export interface SizeReadings {
  bytes: number;
  /** ms. */
  readings: readonly Reading[];
}

/** The change point of transfer times by size: where they depart from the straight line of the smaller sizes. */
export interface Change {
  /** `none`: one straight line is enough, or the departure from it is less than a tenth of the times. */
  found: 'departs' | 'none' | 'unknown';
  /** Why `found` is `unknown`; null otherwise. */
  reason: 'too few sizes' | 'a size without readings' | 'fewer than 3 launches' | 'poor run' | null;
  /** Largest size on the trend and smallest size off it, bytes; null unless it departs. */
  lastOnBytes: number | null;
  firstOffBytes: number | null;
  /** 95 % interval of the change from resampling, bytes; null unless it departs. */
  interval: Interval | null;
  /**
   * Measured time divided by the time that the trend predicts, median of the sizes after the change; null unless it
   * departs, and where a falling trend predicts a time below 0.
   */
  ratio: number | null;
  /**
   * p-value: probability of such a gain in fit by two lines if one line were true, after Holm's correction over all
   * curves; null: unknown.
   */
  p: number | null;
  /** Trend of the sizes before the change, or of all sizes without a change; null when unknown. */
  trend: Trend | null;
}

/** How a departure from the trend is searched for. */
export interface ChangeOptions {
  /** Random numbers in [0, 1), from a recorded seed. */
  random: () => number;
  /** Default 500: with 12 curves, the smallest p after Holm's correction is then 0.024. */
  resamples?: number;
}

/** Minimum number of sizes before a break, so that a line does not fit its points trivially. */
const fewestBefore = 3;
/** The same from the break on: a departure that only the largest two sizes show must be found too. */
const fewestAfter = 2;
/** With fewer sizes two lines fit almost anything. */
const fewestSizes = 6;
/** A departure smaller than this share of the measured time is not reported: a curve is never exactly straight. */
const smallestDeparture = 0.1;
const alpha = 0.05;

/**
 * Finds the change point of each curve of times by size, in order; the curves of a run are one family of tests. One line
 * against two with an unknown break (Quandt 1960), fitted to the levels of the launches, which are the marks of the chart,
 * with weights 1/level², because noise grows with time. p comes from resampling launches and their readings around the single line (Andrews 1993: standard tables are
 * invalid for a break that was searched for), the interval from refitting resamples.
 */
export function changesOf(
  curves: readonly (readonly SizeReadings[])[],
  options: ChangeOptions,
): Change[] {
  const searches = curves.map((sizes) => searchIn(sizes, options));
  const p = holm(searches.map(({ departure }) => departure.p));
  return searches.map((search, place) => changeOf(search, p[place] ?? null));
}

/** The best two lines through a curve, before it is judged whether one is enough. */
interface Search {
  /** The change that the two lines show, with its own p-value. */
  departure: Change;
  /** The single line; null when unknown. */
  straight: Trend | null;
  /** Median distance from the trend after the change, as a share of the measured times. */
  share: number;
}

function changeOf({ departure, straight, share }: Search, p: number | null): Change {
  if (p === null) return departure;
  if (p > alpha || share < smallestDeparture)
    return { ...unknown, found: 'none', p, trend: straight };
  return { ...departure, p };
}

function searchIn(
  sizes: readonly SizeReadings[],
  { random, resamples = 500 }: ChangeOptions,
): Search {
  const none = (reason: Change['reason']): Search => ({
    departure: { ...unknown, reason },
    straight: null,
    share: 0,
  });
  if (sizes.length < fewestSizes) return none('too few sizes');
  const bytes = sizes.map((size) => size.bytes);
  const times = sizes.map(({ readings }) => levelOfReadings(readings) ?? 0);
  if (times.some((time) => !(time > 0))) return none('a size without readings');
  if (sizes.some(({ readings }) => launchesOf(readings) < fewestLaunches))
    return none('fewer than 3 launches');
  const one = straightTrend(bytes, times);
  const two = brokenTrend(bytes, times);
  const draw = levelDraws(sizes, random);
  const gain = gainOf(one.misfit, two.misfit);
  let asGood = 0;
  const breaks: number[] = [];
  for (let turn = 0; turn < resamples; turn++) {
    const drawn = draw();
    // The noise of the resample around the single line, as under the null hypothesis.
    const straight = drawn.map(
      (time, place) => (at(one, bytes[place]) * time) / (times[place] ?? 1),
    );
    const foundByChance = gainOf(
      straightTrend(bytes, straight).misfit,
      brokenTrend(bytes, straight).misfit,
    );
    if (foundByChance >= gain) asGood++;
    breaks.push(brokenTrend(bytes, drawn).firstOff);
  }
  const { share, ratio } = departureOf(two, bytes, times);
  const departure: Change = {
    found: 'departs',
    reason: null,
    lastOnBytes: bytes[two.firstOff - 1] ?? null,
    firstOffBytes: bytes[two.firstOff] ?? null,
    interval: breakInterval(bytes, breaks),
    ratio,
    p: (asGood + 1) / (resamples + 1),
    trend: two.before,
  };
  return { departure, straight: one, share };
}

const unknown: Change = {
  found: 'unknown',
  reason: null,
  lastOnBytes: null,
  firstOffBytes: null,
  interval: null,
  ratio: null,
  p: null,
  trend: null,
};

/** The change point of a run that permits no verdict: whether there is one is unknown. */
export function withheldChange({ p }: Change): Change {
  return { ...unknown, reason: 'poor run', p };
}

/** Relative gain in fit of two lines. The small constant keeps rounding from looking like a gain. */
function gainOf(one: number, two: number): number {
  return (one - two) / (two + 1e-12);
}

function at({ baseMs, msPerByte }: Trend, bytes = 0): number {
  return baseMs + msPerByte * bytes;
}

/** Least squares with weights 1/time², so that relative residuals count. Times must be above 0. */
export function straightTrend(bytes: readonly number[], times: readonly number[]): FittedTrend {
  let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const [place, time] of times.entries()) {
    const size = bytes[place] ?? 0;
    const weight = 1 / (time * time);
    weights += weight;
    x += weight * size;
    y += weight * time;
    xx += weight * size * size;
    xy += weight * size * time;
  }
  const spread = weights * xx - x * x;
  const msPerByte = spread > 0 ? (weights * xy - x * y) / spread : 0;
  const baseMs = (y - msPerByte * x) / weights;
  const misfit = times.reduce((total, time, place) => {
    const distance = (time - baseMs - msPerByte * (bytes[place] ?? 0)) / time;
    return total + distance * distance;
  }, 0);
  return { baseMs, msPerByte, misfit };
}

/** The two lines with the best fit, each through at least the fewest sizes of a trend. */
function brokenTrend(bytes: readonly number[], times: readonly number[]): BrokenTrend {
  const none = { baseMs: 0, msPerByte: 0 };
  let best: BrokenTrend = {
    before: none,
    firstOff: fewestBefore,
    misfit: Number.POSITIVE_INFINITY,
  };
  for (let firstOff = fewestBefore; firstOff <= bytes.length - fewestAfter; firstOff++) {
    const before = straightTrend(bytes.slice(0, firstOff), times.slice(0, firstOff));
    const after = straightTrend(bytes.slice(firstOff), times.slice(firstOff));
    const misfit = before.misfit + after.misfit;
    if (misfit < best.misfit) best = { before, firstOff, misfit };
  }
  return best;
}

/**
 * Distance of the sizes after the break from the trend before it: as a share of the measured times, which is defined
 * for any prediction, and as a multiple of the trend.
 */
function departureOf(
  { before, firstOff }: BrokenTrend,
  bytes: readonly number[],
  times: readonly number[],
): { share: number; ratio: number | null } {
  const after = times.slice(firstOff);
  const predicted = bytes.slice(firstOff).map((size) => at(before, size));
  const shares = after.map((time, place) => 1 - (predicted[place] ?? 0) / time);
  const ratios = after.map((time, place) => time / (predicted[place] ?? 0));
  // A trend that falls below 0 predicts no times to compare with.
  const ratio = predicted.every((time) => time > 0) ? median(ratios) : null;
  return { share: Math.abs(median(shares) ?? 0), ratio };
}

/**
 * From the last size on the trend at the 2.5 % quantile of the resamples to the first size off it at the 97.5 %
 * quantile.
 */
function breakInterval(bytes: readonly number[], breaks: readonly number[]): Interval {
  const sorted = breaks.toSorted((one, other) => one - other);
  const cut = Math.floor(0.025 * sorted.length);
  const [low, high] = [sorted[cut] ?? 1, sorted[sorted.length - 1 - cut] ?? 1];
  return { low: bytes[low - 1] ?? Number.NaN, high: bytes[high] ?? Number.NaN };
}

/** Draws bootstrap levels of all sizes: launches first, the same for all sizes, then readings of each. */
function levelDraws(sizes: readonly SizeReadings[], random: () => number): () => number[] {
  const bySize = sizes.map(({ readings }) => [...byLaunch(readings).values()]);
  const launches = greatest(bySize.map((groups) => groups.length));
  const pick = (count: number) => Math.floor(random() * count);
  return () => {
    const drawn = Array.from({ length: launches }, () => random());
    return bySize.map((groups) => {
      const own = drawn.map((share) => {
        const group = groups[Math.floor(share * groups.length)] ?? [];
        return Array.from(group, () => group[pick(group.length)] ?? 0);
      });
      return levelOf(own) ?? 0;
    });
  };
}
