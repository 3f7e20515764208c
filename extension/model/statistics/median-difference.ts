import { medianSorted } from 'simple-statistics';
import { type Bootstrap, bcaInterval } from './bca.ts';
import type { Design, Launches } from './design.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import {
  type DrawnMedian,
  drawnMedian,
  launchDraws,
  leaveOneLaunchOut,
  widened,
} from './launch-bootstrap.ts';
import { defaultResamples, type ResamplingOptions } from './median-interval.ts';
import { sortedFinite } from './quantile.ts';
import { medianResampler } from './resampled-median.ts';

/** Intervals of two medians' difference (unit of the values) and of their ratio less 1 (0.02: 2 % greater). */
export interface DifferenceIntervals {
  difference: Interval;
  /** null when the second median is 0, or is in some resamples: a share of 0 means nothing. */
  relative: Interval | null;
}

/** The two medians of the data, of each resample, and of the data with each unit left out. */
interface MedianPairs {
  estimate: Pair;
  distribution: Pair[];
  /** One list for each group of units that is drawn by itself. */
  jackknife: Pair[][];
}

type Pair = readonly [of: number, against: number];

/**
 * BCa bootstrap of independent values: each group is drawn by itself and keeps its size. Covers 95 % +- 1 % from 6 values a
 * group on. null when a group is empty or has a value that is not finite.
 */
export function differenceOfValues(
  of: readonly number[],
  against: readonly number[],
  options: ResamplingOptions,
): DifferenceIntervals | null {
  const [first, second] = [sortedFinite(of), sortedFinite(against)];
  if (first === null || second === null) return null;
  const { random, confidence = defaultConfidence, resamples = defaultResamples } = options;
  const [drawFirst, drawSecond] = [medianResampler(first, random), medianResampler(second, random)];
  const estimate: Pair = [medianSorted(first), medianSorted(second)];
  const pairs: MedianPairs = {
    estimate,
    distribution: Array.from({ length: resamples }, (): Pair => [drawFirst(), drawSecond()]),
    jackknife: [
      leftOutMedians(first).map((value): Pair => [value, estimate[1]]),
      leftOutMedians(second).map((value): Pair => [estimate[0], value]),
    ],
  };
  return intervalsOf(pairs, confidence);
}

/**
 * BCa bootstrap of whole launches, widened for their number. Paired groups are taken from the same drawn launches; others
 * draw their own. Needs 10 launches a group to cover 95 %: see `fewestLaunchesToResample`.
 */
export function differenceOfLaunches(
  { kind, of, against }: Pick<Design, 'kind' | 'of' | 'against'>,
  options: ResamplingOptions,
): DifferenceIntervals {
  const { random, confidence = defaultConfidence, resamples = defaultResamples } = options;
  const [first, second] = [drawnMedian(of), drawnMedian(against)];
  const estimate: Pair = [wholeMedian(first, of), wholeMedian(second, against)];
  const draw = launchDraws(of.length, random);
  const drawOther = launchDraws(against.length, random);
  const paired = kind === 'paired by launch';
  const distribution = Array.from({ length: resamples }, (): Pair => {
    const drawn = draw();
    return [first(drawn), second(paired ? drawn : drawOther())];
  });
  const leaveOut = (launches: Launches, pairOf: (drawn: Uint32Array) => Pair): Pair[] =>
    Array.from(leaveOneLaunchOut(launches.length), pairOf);
  const jackknife = paired
    ? [leaveOut(of, (drawn) => [first(drawn), second(drawn)])]
    : [
        leaveOut(of, (drawn) => [first(drawn), estimate[1]]),
        leaveOut(against, (drawn) => [estimate[0], second(drawn)]),
      ];
  const units = paired ? of.length : Math.min(of.length, against.length);
  return intervalsOf({ estimate, distribution, jackknife }, widened(confidence, units));
}

function wholeMedian(medianOf: DrawnMedian, launches: Launches): number {
  return medianOf(new Uint32Array(launches.length).fill(1));
}

/** The median without each value in turn. */
function leftOutMedians(sorted: readonly number[]): number[] {
  const rest = sorted.length - 1;
  return sorted.map((_, left) => {
    const at = (index: number): number => sorted[index < left ? index : index + 1] ?? Number.NaN;
    return (at(Math.floor((rest - 1) / 2)) + at(Math.floor(rest / 2))) / 2;
  });
}

function intervalsOf(pairs: MedianPairs, confidence: number): DifferenceIntervals {
  const difference = bcaInterval(
    bootstrapOf(pairs, ([of, against]) => of - against),
    confidence,
  );
  const ratios = bootstrapOf(pairs, ([of, against]) => of / against - 1);
  const known =
    Number.isFinite(ratios.estimate) &&
    ratios.distribution.every(Number.isFinite) &&
    ratios.jackknife.every((list) => list.every(Number.isFinite));
  return { difference, relative: known ? bcaInterval(ratios, confidence) : null };
}

function bootstrapOf(pairs: MedianPairs, statistic: (pair: Pair) => number): Bootstrap {
  return {
    estimate: statistic(pairs.estimate),
    distribution: Float64Array.from(pairs.distribution, statistic),
    jackknife: pairs.jackknife.map((list) => list.map(statistic)),
  };
}
