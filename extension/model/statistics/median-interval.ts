import { bcaInterval } from './bca.ts';
import { isIndependent, type Launches, type Scope } from './design.ts';
import { defaultConfidence, hull, type Interval } from './interval.ts';
import { drawnMedian, launchDraws, leaveOneLaunchOut, widened } from './launch-bootstrap.ts';
import { orderStatisticInterval } from './order-statistics.ts';
import { median } from './quantile.ts';
import { byLaunch, type Reading, valuesOf } from './readings.ts';
import { oneSampleT } from './welch.ts';

/** How an interval was made; each is described where it is made. */
export type IntervalMethod =
  | 'order statistics'
  | 't over launches'
  | 'bootstrap over launches'
  | 'bootstrap';

/** Why there is no interval: a false one would be worse. */
export type NoInterval = 'no usable readings' | 'too few readings' | 'too few launches';

export interface MedianEstimate {
  /** In the unit of the readings; null when there are none or one is not a finite number. */
  median: number | null;
  interval: Interval | null;
  method: IntervalMethod | null;
  /** Why `interval` is null; null when it is not. */
  noInterval: NoInterval | null;
  readings: number;
  launches: number;
}

export interface ResamplingOptions {
  /** Numbers in [0, 1); give it a kept seed (random.ts) and the interval can be made again. */
  random: () => number;
  /** 0 to 1, default 0.95. */
  confidence?: number | undefined;
  /** Default 10,000: the ends then move by about a hundredth of the interval's width from seed to seed. */
  resamples?: number | undefined;
  /** Default `any launch`. */
  scope?: Scope | undefined;
}

export const defaultResamples = 10_000;

/** Below this many readings of either group no interval is given: the range of 5 values covers a median in 94 % only. */
export const fewestReadings = 6;

/**
 * From this many launches on they can be resampled; with fewer, t over launches stands in. In simulation a bootstrap of
 * two launches covered 50 %, of eight 89 %; t over launches 94 to 96 % (scripts/bench/statistics.ts).
 */
export const fewestLaunchesToResample = 10;

/**
 * The median with its interval. Independent readings: from the order statistics, which cover 95 % at any size. Readings
 * that share launches: 10 launches and more by resampling whole launches (BCa), 2 to 9 by Student's t over the launches'
 * medians (Ibragimov and Müller 2010), and never narrower than independent readings would give. One launch: none.
 */
export function medianInterval(
  readings: readonly Reading[],
  options: ResamplingOptions,
): MedianEstimate {
  const values = valuesOf(readings);
  const launches = [...byLaunch(readings).values()];
  const estimate = median(values);
  const found = intervalOf(launches, values, estimate, options);
  const known = typeof found !== 'string';
  return {
    median: estimate,
    interval: known ? found.interval : null,
    method: known ? found.method : null,
    noInterval: known ? null : found,
    readings: readings.length,
    launches: launches.length,
  };
}

interface Found {
  interval: Interval;
  method: IntervalMethod;
}

function intervalOf(
  launches: Launches,
  values: readonly number[],
  estimate: number | null,
  options: ResamplingOptions,
): Found | NoInterval {
  const { confidence = defaultConfidence, scope = 'any launch' } = options;
  if (estimate === null) return 'no usable readings';
  const independent = orderStatisticInterval(values, confidence);
  if (values.length < fewestReadings || independent === null) return 'too few readings';
  if (scope === 'these launches' || isIndependent(launches)) {
    return { interval: independent, method: 'order statistics' };
  }
  if (launches.length >= fewestLaunchesToResample) {
    return {
      interval: launchBootstrap(launches, estimate, options),
      method: 'bootstrap over launches',
    };
  }
  const medians = launches.map((launch) => median(launch) ?? Number.NaN);
  const test = oneSampleT(medians, confidence);
  if (test === null) return 'too few launches';
  return { interval: hull(test.interval, independent), method: 't over launches' };
}

function launchBootstrap(
  launches: Launches,
  estimate: number,
  { random, confidence = defaultConfidence, resamples = defaultResamples }: ResamplingOptions,
): Interval {
  const medianOf = drawnMedian(launches);
  const draw = launchDraws(launches.length, random);
  const distribution = Float64Array.from({ length: resamples }, () => medianOf(draw()));
  const jackknife = [Array.from(leaveOneLaunchOut(launches.length), medianOf)];
  return bcaInterval({ estimate, distribution, jackknife }, widened(confidence, launches.length));
}
