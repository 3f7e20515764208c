import { medianSorted } from 'simple-statistics';
import { type Bootstrap, bcaInterval } from './bca.ts';
import type { Launches } from './design.ts';
import { defaultConfidence, hull, type Interval } from './interval.ts';
import { haveLogarithms, meanOf } from './launch-level.ts';
import { normalTwoSided } from './normal.ts';
import { studentCritical } from './student-t.ts';
import { defaultResamples, type ResamplingOptions } from './resampling.ts';
import { sortedFinite } from './quantile.ts';
import { medianResampler } from './resampled-median.ts';

/** Intervals of the difference of two levels (unit of the values) and of their ratio minus 1 (0.02: 2 % greater). */
export interface DifferenceIntervals {
  difference: Interval;
  /** null when the second level is 0, in the data or in a resample: the ratio is then undefined. */
  relative: Interval | null;
}

/** The level of a group, of a random resample of it, and of the group with each value of each launch left out. */
interface Resampled {
  level: number;
  draw: () => number;
  leftOut: number[][];
}

/**
 * BCa bootstrap of two groups' levels, for the scope of these launches: the values of each launch are resampled
 * separately and keep their number. One launch is a group of independent values. null when a launch is empty or has a
 * value that is not finite.
 */
export function differenceOfStrata(
  of: Launches,
  against: Launches,
  options: ResamplingOptions,
): DifferenceIntervals | null {
  const { resamples = defaultResamples } = options;
  const [first, second] = [sortedStrata(of), sortedStrata(against)];
  if (first === null || second === null) return null;
  const confidence = widened(options.confidence ?? defaultConfidence, [...first, ...second]);
  const logarithmic = haveLogarithms(first.map(medianSorted), second.map(medianSorted));
  const one = resampled(first, logarithmic, options.random);
  const other = resampled(second, logarithmic, options.random);
  const drawn = Array.from({ length: resamples }, () => [one.draw(), other.draw()] as const);
  const bootstrapOf = (statistic: (level: number, baseline: number) => number): Bootstrap => ({
    estimate: statistic(one.level, other.level),
    distribution: Float64Array.from(drawn, ([level, baseline]) => statistic(level, baseline)),
    jackknife: [
      ...one.leftOut.map((launch) => launch.map((level) => statistic(level, other.level))),
      ...other.leftOut.map((launch) => launch.map((baseline) => statistic(one.level, baseline))),
    ],
  });
  const ratios = bootstrapOf((level, baseline) => level / baseline - 1);
  const known =
    Number.isFinite(ratios.estimate) &&
    ratios.distribution.every(Number.isFinite) &&
    ratios.jackknife.every((list) => list.every(Number.isFinite));
  return {
    difference: intervalOf(
      bootstrapOf((level, baseline) => level - baseline),
      confidence,
    ),
    relative: known ? intervalOf(ratios, confidence) : null,
  };
}

/** Interval of one group's level, by the same method. */
export function levelOfStrata(launches: Launches, options: ResamplingOptions): Interval | null {
  const { random, confidence = defaultConfidence, resamples = defaultResamples } = options;
  const strata = sortedStrata(launches);
  if (strata === null) return null;
  const { level, draw, leftOut } = resampled(
    strata,
    haveLogarithms(strata.map(medianSorted)),
    random,
  );
  const distribution = Float64Array.from({ length: resamples }, draw);
  return intervalOf({ estimate: level, distribution, jackknife: leftOut }, confidence);
}

/**
 * With few resamples, or far from normality, both ends may be on one side of the estimate: extends the interval to it.
 */
function intervalOf(bootstrap: Bootstrap, confidence: number): Interval {
  const { estimate } = bootstrap;
  return hull(bcaInterval(bootstrap, confidence), { low: estimate, high: estimate });
}

/** Above this confidence the ends are the most extreme resamples, and more resamples would not improve them. */
const mostConfidence = 0.9999;

/**
 * The confidence to request from a bootstrap of several launches, whose percentiles correspond to the normal
 * distribution instead of Student's t (Hesterberg 2015, "What teachers should know about the bootstrap", 4.1.3). With
 * one launch per group it is not raised: the coverage is right without it.
 */
function widened(confidence: number, strata: Launches): number {
  if (strata.length < 3) return confidence;
  const freedom = strata.reduce((sum, { length }) => sum + length - 1, 0);
  if (freedom < 1) return confidence;
  const wide = 1 - normalTwoSided(studentCritical(confidence, freedom));
  return Math.max(confidence, Math.min(wide, mostConfidence));
}

function sortedStrata(launches: Launches): number[][] | null {
  const strata = launches.map(sortedFinite).filter((values) => values !== null);
  return strata.length === launches.length && strata.length > 0 ? strata : null;
}

function resampled(
  strata: readonly number[][],
  logarithmic: boolean,
  random: () => number,
): Resampled {
  const medians = strata.map(medianSorted);
  const draws = strata.map((values) => medianResampler(values, random));
  return {
    level: meanOf(medians, logarithmic),
    draw: () =>
      meanOf(
        draws.map((draw) => draw()),
        logarithmic,
      ),
    leftOut: strata.map((values, index) =>
      leftOutMedians(values).map((value) => meanOf(medians.with(index, value), logarithmic)),
    ),
  };
}

/** The medians with each value left out in turn; for a single value, that value, because nothing else is known. */
function leftOutMedians(sorted: readonly number[]): readonly number[] {
  const rest = sorted.length - 1;
  if (rest === 0) return sorted;
  return sorted.map((_, left) => {
    const at = (index: number): number => sorted[index < left ? index : index + 1] ?? Number.NaN;
    return (at(Math.floor((rest - 1) / 2)) + at(Math.floor(rest / 2))) / 2;
  });
}
