import { greatest } from '../extremes.ts';
import type { Interval } from '../statistics/interval.ts';
import { median } from '../statistics/quantile.ts';
import { byLaunch, type Reading } from '../statistics/readings.ts';
import { type BrokenTrend, brokenTrend, straightTrend, type Trend } from './trend.ts';

/** The times of one size of answer. */
export interface SizeReadings {
  bytes: number;
  /** ms. */
  readings: readonly Reading[];
}

/** Where the time of a transfer departs from the straight line that the smaller sizes lie on. */
export interface Change {
  /** `none`: one straight line is enough, or what two would explain better is less than a tenth. */
  found: 'departs' | 'none' | 'unknown';
  /** Why `found` is `unknown`; null when it is not. */
  reason: 'too few sizes' | 'a size without readings' | null;
  /** Largest size on the trend and smallest off it, bytes; null unless it departs. */
  lastOnBytes: number | null;
  firstOffBytes: number | null;
  /** Sizes between which the change lies in 95 of 100 resamplings, bytes; null unless it departs. */
  interval: Interval | null;
  /** Measured time over what the trend foretells, median of the sizes beyond the change; null unless it departs. */
  ratio: number | null;
  /** Chance of two lines fitting so much better if one were the truth; null: unknown. */
  p: number | null;
  /** Of the sizes before the change, or of all without one; null when unknown. */
  trend: Trend | null;
}

export interface ChangeOptions {
  /** Numbers in [0, 1), from a kept seed. */
  random: () => number;
  /** Default 200: p is then exact to about 0.015 at 0.05. */
  resamples?: number;
}

/** Sizes on either side that a line needs, so that it does not go through its points by itself. */
export const fewestSizesOfTrend = 3;
/** A departure smaller than this share of the trend is not told: a curve is never quite straight. */
export const smallestDeparture = 0.1;
const alpha = 0.05;

/**
 * Finds the change point of times over sizes: one line against two with a free break (Quandt 1960), by medians, each weighed
 * by its inverse square, since noise grows with time. p comes from resampling launches and their readings around the single
 * line (Andrews 1993: no standard table holds for a break that was searched for), the interval from refitting resamples.
 */
export function changeOf(
  sizes: readonly SizeReadings[],
  { random, resamples = 200 }: ChangeOptions,
): Change {
  if (sizes.length < 2 * fewestSizesOfTrend) return { ...unknown, reason: 'too few sizes' };
  const bytes = sizes.map((size) => size.bytes);
  const times = sizes.map(({ readings }) => median(readings.map(({ value }) => value)) ?? 0);
  if (times.some((time) => !(time > 0))) return { ...unknown, reason: 'a size without readings' };
  const one = straightTrend(bytes, times);
  const two = brokenTrend(bytes, times, fewestSizesOfTrend);
  const draw = medianDraws(sizes, random);
  const gain = gainOf(one.misfit, two.misfit);
  let asGood = 0;
  const breaks: number[] = [];
  for (let turn = 0; turn < resamples; turn++) {
    const drawn = draw();
    // The noise of the resample around the line, as if the line were the truth.
    const straight = drawn.map(
      (time, place) => (at(one, bytes[place]) * time) / (times[place] ?? 1),
    );
    const foundByChance = gainOf(
      straightTrend(bytes, straight).misfit,
      brokenTrend(bytes, straight, fewestSizesOfTrend).misfit,
    );
    if (foundByChance >= gain) asGood++;
    breaks.push(brokenTrend(bytes, drawn, fewestSizesOfTrend).firstOff);
  }
  const p = (asGood + 1) / (resamples + 1);
  const ratio = ratioOf(two, bytes, times);
  if (p > alpha || Math.abs(ratio - 1) < smallestDeparture)
    return { ...unknown, found: 'none', p, trend: one };
  return {
    found: 'departs',
    reason: null,
    lastOnBytes: bytes[two.firstOff - 1] ?? null,
    firstOffBytes: bytes[two.firstOff] ?? null,
    interval: breakInterval(bytes, breaks),
    ratio,
    p,
    trend: two.before,
  };
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

/** By how much two lines fit better, free of the unit. Rounding alone must not look like a gain. */
function gainOf(one: number, two: number): number {
  return (one - two) / (two + 1e-12);
}

function at({ baseMs, msPerByte }: Trend, bytes = 0): number {
  return baseMs + msPerByte * bytes;
}

function ratioOf({ before, firstOff }: BrokenTrend, bytes: number[], times: number[]): number {
  const ratios = times
    .slice(firstOff)
    .map((time, place) => time / at(before, bytes[firstOff + place]))
    // A trend that falls below 0 foretells nothing.
    .filter((ratio) => ratio > 0);
  return median(ratios) ?? 1;
}

/** From the last size on the trend in the lowest 2.5 % of the resamples to the first off it in the highest. */
function breakInterval(bytes: readonly number[], breaks: readonly number[]): Interval {
  const sorted = breaks.toSorted((one, other) => one - other);
  const cut = Math.floor(0.025 * sorted.length);
  const [low, high] = [sorted[cut] ?? 1, sorted[sorted.length - 1 - cut] ?? 1];
  return { low: bytes[low - 1] ?? Number.NaN, high: bytes[high] ?? Number.NaN };
}

/** Draws the medians of all sizes anew: launches first, the same for all sizes, then readings of each. */
function medianDraws(sizes: readonly SizeReadings[], random: () => number): () => number[] {
  const bySize = sizes.map(({ readings }) => [...byLaunch(readings).values()]);
  const launches = greatest(bySize.map((groups) => groups.length));
  const pick = (count: number) => Math.floor(random() * count);
  return () => {
    const drawn = Array.from({ length: launches }, () => random());
    return bySize.map((groups) => {
      const values = drawn.flatMap((share) => {
        const group = groups[Math.floor(share * groups.length)] ?? [];
        return Array.from(group, () => group[pick(group.length)] ?? 0);
      });
      return median(values) ?? 0;
    });
  };
}
