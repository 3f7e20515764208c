import { median, quantile } from '../statistics/quantile.ts';
import { createRandom } from '../statistics/random.ts';
import type { DrawnProfile } from './run.ts';
import type { Tail } from './saved-summary.ts';

/** Below this number of values the quantile would be the largest value, whatever the tail is. */
const leastFor = { p95: 20, p99: 100 };

/** The tail of times, by linear interpolation between them; not finite values make it unknown. */
export function tailOf(timesMs: readonly number[]): Tail {
  const from = (least: number, p: number) => (timesMs.length < least ? null : quantile(timesMs, p));
  return {
    medianMs: median(timesMs),
    p95Ms: from(leastFor.p95, 0.95),
    p99Ms: from(leastFor.p99, 0.99),
  };
}

/** A cached read as the model of a sweep sees it: a base, and device reads of which it waits for some in sequence. */
export interface ReadChain {
  /** Time without device reads, ms: the intercept of the line over constant delays. */
  baseMs: number;
  /** The slope of that line, 0 or more; a fraction counts as a part of one read. */
  serialReads: number;
  /** Scatter of reads at constant delays around their cell's median, ms. At least one; 0 for no scatter. */
  residualsMs: readonly number[];
  /** Time of transferring its bytes at the device's bandwidth, ms. */
  transferMs: number;
}

/** A device as its direct reads show it. */
export interface MeasuredDevice {
  /** Times of direct reads, ms; each list was taken in one go. */
  timesMs: readonly (readonly number[])[];
  /** Whether one read's latency says nothing about the next one's; not so where the profile has stalls. */
  isIndependent: boolean;
}

/** A device from the times of its direct reads; stalls make consecutive reads dependent. */
export function measuredDevice(
  timesMs: readonly (readonly number[])[],
  { stalls }: Pick<DrawnProfile, 'stalls'>,
): MeasuredDevice {
  return { timesMs, isIndependent: stalls === undefined };
}

/** The quantile then moves by about 1 % from seed to seed; with a tenth of them it moved by 2.5 % on a busy machine. */
const resamples = 100_000;

/**
 * Predicted p95 of a cached read, ms: the sum of a chain of device reads, each drawn from the measured ones, so that
 * serial reads add up their tails (a convolution, by seeded resampling). Where latencies depend on each other, a chain
 * draws consecutive reads. null without measured reads.
 */
export function predictedP95(
  chain: ReadChain,
  device: MeasuredDevice,
  seed: number,
): number | null {
  const random = createRandom(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const lists = device.timesMs.filter(({ length }) => length > 0);
  const all = lists.flat();
  if (all.length === 0) return null;
  const draw = device.isIndependent ? () => pick(all) ?? Number.NaN : consecutive(lists, random);
  const times = Array.from({ length: resamples }, () => {
    let ms = chain.baseMs + chain.transferMs + (pick(chain.residualsMs) ?? Number.NaN);
    for (let left = chain.serialReads; left > 0; left--)
      ms += Math.min(1, left) * draw(left === chain.serialReads);
    return ms;
  });
  return quantile(times, 0.95);
}

/** Draws consecutive times from a random place on, continued at the beginning of the same list. */
function consecutive(lists: readonly (readonly number[])[], random: () => number) {
  const all = lists.flatMap((list) => list.map((_, at) => ({ list, at })));
  let place = all[0];
  return (isFirst: boolean): number => {
    if (isFirst) place = all[Math.floor(random() * all.length)];
    if (!place) return Number.NaN;
    const ms = place.list[place.at] ?? Number.NaN;
    place = { ...place, at: (place.at + 1) % place.list.length };
    return ms;
  };
}
