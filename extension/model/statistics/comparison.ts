import {
  type ComparedIntervals,
  comparedIntervals,
  strataOf,
  withoutIntervals,
} from './compared-intervals.ts';
import { type Design, designOf, isIndependentIn, type Launches, type Scope } from './design.ts';
import {
  type RankEffect,
  rankEffect,
  type StandardizedDifference,
  standardizedDifference,
} from './effect-size.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';
import { launchDifference, launchGap, type LaunchGap, residue, settled } from './launch-gap.ts';
import { launchLogSpread, levelsOf } from './launch-level.ts';
import { mannWhitney } from './mann-whitney.ts';
import type { ResamplingOptions } from './resampling.ts';
import { moderated } from './moderation.ts';
import { quartiles } from './quantile.ts';
import { problemsOf, type Reading, type ReadingsProblem, valuesOf } from './readings.ts';
import { vanElteren } from './van-elteren.ts';
import { chanceOf } from './welch.ts';

/** Summary of one of two groups. Values in the unit of the readings; null when the readings are unusable. */
export interface GroupSummary {
  readings: number;
  /** Each reading of unknown launch counts as one launch. */
  launches: number;
  /** The median; when readings share launches, the mean of the launches' medians (`levelOf`). */
  median: number | null;
  /** The interquartile range: first and third quartile of the readings. */
  middleHalf: Interval | null;
}

/**
 * A comparison of two groups of readings: the first (`of`) against the second (`against`, the baseline). Without a
 * verdict.
 */
export interface Comparison extends ComparedIntervals {
  of: GroupSummary;
  against: GroupSummary;
  design: Design['kind'];
  /** Scope of the values. */
  scope: Scope;
  /** Confidence level: the share of repetitions whose intervals contain the true value, for example 0.95. */
  confidence: number;
  /** Readings excluded because their launch has only one of the two paired groups. */
  leftOut: number;
  /** The launch of some readings is unknown; they were treated as independent of all others. */
  launchUnknown: boolean;
  /** median(of) - median(against), in the unit of the readings. */
  difference: number | null;
  /**
   * median(of) / median(against) - 1; for paired groups, the mean over the launches. null when the baseline's median is
   * 0.
   */
  relative: number | null;
  /** p-value of the null hypothesis that neither group is greater. null: unknown. */
  p: number | null;
  /**
   * p-value of the null hypothesis that both groups have the same distribution: twice the smaller of `p` and the
   * p-value of a test of spread and shape. It is doubled because the smaller of two is used; Pinpoint also uses the
   * smaller, but does not double it. null: unknown.
   */
  pAlike: number | null;
  effect: RankEffect | null;
  standardized: StandardizedDifference | null;
  /** Problems with the readings of either group; when there are any, every value is null. */
  problems: ReadingsProblem[];
}

/** Names of the two groups for messages. */
export interface GroupNames {
  of: string;
  against: string;
}

/** Two groups of readings to compare. */
export interface GroupPair {
  of: readonly Reading[];
  against: readonly Reading[];
  names?: GroupNames;
  /** Scope of the values; default: that of the options. */
  scope?: Scope;
}

/** Compares two groups of readings that belong to no family. See `compareFamily`. */
export function compare(
  of: readonly Reading[],
  against: readonly Reading[],
  options: ResamplingOptions,
  names?: GroupNames,
): Comparison {
  return comparisonOf(measure({ of, against, ...(names && { names }) }, options), options);
}

/**
 * Compares pairs of groups that belong together, such as the points of one sweep: one comparison per pair, in order.
 * Readings that share launches: Student's t over launches, one observation per launch, with variances moderated across
 * the family (moderation.ts). Independent readings: BCa bootstrap, Mann-Whitney and Kolmogorov-Smirnov. Scope `these
 * launches`: bootstrap and ranks within launches. Never throws: unknown values are null, with the reason. Equal values
 * have an interval of width 0; the rounding of the timer is not included.
 */
export function compareFamily(
  pairs: readonly GroupPair[],
  options: ResamplingOptions,
): Comparison[] {
  const measured = pairs.map((pair) => measure(pair, options));
  const gaps = moderated(measured.map(({ gap }) => gap));
  return measured.map((each, index) =>
    comparisonOf({ ...each, gap: gaps[index] ?? null }, options),
  );
}

/** A pair before the values of its family are known. */
interface Measured {
  summary: Pick<
    Comparison,
    'of' | 'against' | 'design' | 'scope' | 'leftOut' | 'launchUnknown' | 'problems'
  >;
  design: Design;
  /** null when launches are not compared, or when there are too few. */
  gap: LaunchGap | null;
}

function measure(
  { of, against, names = { of: 'the first group', against: 'the second group' }, scope }: GroupPair,
  options: ResamplingOptions,
): Measured {
  const problems = [...problemsOf(of, names.of), ...problemsOf(against, names.against)];
  const design = designOf(of, against);
  const usable = problems.length === 0;
  const within = scope ?? options.scope ?? 'any launch';
  const [level = null, baseline = null] = levelsOf(strataOf(design));
  const group = (
    readings: readonly Reading[],
    launches: Launches,
    median: number | null,
  ): GroupSummary => {
    const values = usable ? launches.flat() : valuesOf(readings);
    const middleHalf = quartiles(values);
    return { readings: values.length, launches: launches.length, median, middleHalf };
  };
  return {
    summary: {
      of: group(of, design.of, level),
      against: group(against, design.against, baseline),
      design: design.kind,
      scope: within,
      leftOut: design.leftOut,
      launchUnknown: design.launchUnknown,
      problems,
    },
    design,
    gap: usable && !isIndependentIn(design, within) ? launchGap(design) : null,
  };
}

function comparisonOf({ summary, design, gap }: Measured, options: ResamplingOptions): Comparison {
  const { confidence = defaultConfidence } = options;
  const known = { ...summary, confidence };
  const [level, baseline] = [summary.of.median, summary.against.median];
  if (summary.problems.length > 0 || level === null || baseline === null) {
    return { ...known, ...unknownValues };
  }
  const intervals = comparedIntervals(design, gap, { ...options, scope: summary.scope });
  const leastDifference = residue * Math.max(level, baseline);
  const difference = settled(level - baseline, leastDifference);
  return {
    ...known,
    ...intervals,
    difference,
    differenceInterval: settledInterval(intervals.differenceInterval, leastDifference),
    relative: baseline > 0 ? difference / baseline : null,
    relativeInterval: settledInterval(intervals.relativeInterval, residue),
    ...chancesOf(design, summary.scope, gap),
    effect: rankEffect(design.of, design.against, design.kind === 'paired by launch'),
    standardized: standardizedDifference(design.of.flat(), design.against.flat()),
  };
}

function settledInterval(interval: Interval | null, least: number): Interval | null {
  return interval && { low: settled(interval.low, least), high: settled(interval.high, least) };
}

const unknownValues = {
  ...withoutIntervals('no usable readings'),
  difference: null,
  relative: null,
  p: null,
  pAlike: null,
  effect: null,
  standardized: null,
};

/** The p-values: over launches, or over readings when the readings may be treated as independent. */
function chancesOf(
  design: Design,
  scope: Scope,
  gap: LaunchGap | null,
): Pick<Comparison, 'p' | 'pAlike'> {
  const { kind, of, against } = design;
  if (!isIndependentIn(design, scope)) {
    const p = gap && chanceOf(gap.logRatio ?? gap.difference);
    const spread = launchDifference(kind, of.map(launchLogSpread), against.map(launchLogSpread));
    return { p, pAlike: smallerOfTwo(p, spread && chanceOf(spread)) };
  }
  if (kind !== 'paired by launch') {
    const [first, second] = [of.flat(), against.flat()];
    const p = mannWhitney(first, second)?.p ?? null;
    return { p, pAlike: smallerOfTwo(p, kolmogorovSmirnov(first, second)?.p ?? null) };
  }
  const p = vanElteren(of, against);
  const shapes = of.map(
    (values, launch) => kolmogorovSmirnov(values, against[launch] ?? [])?.p ?? 1,
  );
  return { p, pAlike: smallerOfTwo(p, Math.min(1, shapes.length * Math.min(...shapes))) };
}

function smallerOfTwo(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return null;
  return Math.min(1, 2 * Math.min(one, other));
}
