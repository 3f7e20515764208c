import { type Design, designOf, launchesOf } from './design.ts';
import { type RankEffect, rankEffect } from './effect-size.ts';
import type { Interval } from './interval.ts';
import { launchGap, residue, settled } from './launch-gap.ts';
import { levelsOf } from './launch-level.ts';
import type { NoInterval } from './median-interval.ts';
import { problemsOf, type Reading, type ReadingsProblem } from './readings.ts';
import { pValueOf, type Estimate, intervalAround } from './welch.ts';

/** Summary of one of two groups. */
export interface GroupSummary {
  readings: number;
  /** Each reading of unknown launch counts as one launch. */
  launches: number;
  /**
   * The level: the geometric mean of the launches' medians, in the unit of the readings. Of a paired group: over the
   * launches that have both groups. null when the readings are unusable.
   */
  median: number | null;
}

/**
 * A comparison of two groups of readings: the first (`of`) against the second (`against`, the baseline). Difference,
 * interval and p-value come from one estimate on one scale, so they never contradict each other.
 */
export interface Comparison {
  of: GroupSummary;
  against: GroupSummary;
  design: Design['kind'];
  /** Number of comparisons in its family that have an interval, itself included. */
  family: number;
  /**
   * Simultaneous confidence of the intervals of the family: the share of repetitions in which all of them contain their
   * true values, for example 0.95.
   */
  confidence: number;
  /** Readings excluded because their launch has only one of the two paired groups. */
  leftOut: number;
  /** Level of the first group minus that of the baseline, in the unit of the readings. null: unknown. */
  difference: number | null;
  /** Simultaneous interval of the difference; null: unknown (`noInterval`). */
  differenceInterval: Interval | null;
  /** The same two as a share of the baseline's level: 0.02 is 2 % greater. null also when that level is 0. */
  relative: number | null;
  relativeInterval: Interval | null;
  /**
   * p-value of the null hypothesis that the levels are equal, adjusted for the family: it is at most 1 minus
   * `confidence` exactly where the interval excludes 0. null: unknown.
   */
  p: number | null;
  /** How often a reading of the first group is greater than one of the second; null: unknown. */
  effect: RankEffect | null;
  /** Degrees of freedom of Student's t; null without an interval. */
  freedom: number | null;
  /** Why there is no interval; null when there is one. */
  noInterval: NoInterval | null;
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
}

/** Significance level of a family of comparisons. */
export const defaultAlpha = 0.05;

/** Compares two groups of readings that belong to no family. See `compareFamily`. */
export function compare(
  of: readonly Reading[],
  against: readonly Reading[],
  alpha = defaultAlpha,
): Comparison {
  return comparisonOf(measure({ of, against }), 1, alpha);
}

/**
 * Compares pairs of groups that answer one question, such as one pair of arms at every delay: one comparison per pair,
 * in order. Student's t over launches, one observation per launch. Bonferroni's correction makes the intervals
 * simultaneous: with probability 1 - alpha all of them contain their true values. Never throws: unknown values are null, with the reason. Equal values have an interval of
 * width 0; the rounding of the timer is not included.
 */
export function compareFamily(pairs: readonly GroupPair[], alpha = defaultAlpha): Comparison[] {
  const measured = pairs.map(measure);
  const family = measured.filter(({ gap }) => gap !== null).length;
  return measured.map((each) => comparisonOf(each, family, alpha));
}

/** A pair before its family is known. */
interface Measured {
  known: Pick<Comparison, 'of' | 'against' | 'design' | 'leftOut' | 'effect' | 'problems'>;
  /** null with too few launches or unusable readings. */
  gap: Estimate | null;
}

/** Keeps no reading: those of all pairs of a large run would not fit into memory. */
function measure({ of, against, names }: GroupPair): Measured {
  const { of: first = 'the first group', against: second = 'the second group' } = names ?? {};
  const problems = [...problemsOf(of, first), ...problemsOf(against, second)];
  const design = designOf(of, against);
  const isUsable = problems.length === 0;
  const [level, baseline] = levelsOf([design.of, design.against]);
  const summaryOf = (
    readings: readonly Reading[],
    launches: Design['of'],
    median: number | null = null,
  ): GroupSummary =>
    isUsable
      ? { readings: launches.flat().length, launches: launches.length, median }
      : { readings: readings.length, launches: launchesOf(readings), median };
  return {
    known: {
      of: summaryOf(of, design.of, level),
      against: summaryOf(against, design.against, baseline),
      design: design.kind,
      leftOut: design.leftOut,
      effect: isUsable ? rankEffect(design) : null,
      problems,
    },
    gap: isUsable ? launchGap(design) : null,
  };
}

function comparisonOf({ known, gap }: Measured, family: number, alpha: number): Comparison {
  const [level, baseline] = [known.of.median, known.against.median];
  const shared = { ...known, family, confidence: 1 - alpha };
  if (known.problems.length > 0 || level === null || baseline === null)
    return { ...shared, ...unknownDifference, noInterval: 'no usable readings' };
  const least = residue * Math.max(level, baseline);
  const difference = settled(level - baseline, least);
  const relative = baseline > 0 ? difference / baseline : null;
  if (gap === null)
    return {
      ...shared,
      ...unknownDifference,
      difference,
      relative,
      noInterval: 'too few launches',
    };
  const { low, high } = intervalAround(gap, 1 - alpha / family);
  const interval = { low: settled(low, least), high: settled(high, least) };
  return {
    ...shared,
    difference,
    differenceInterval: interval,
    relative,
    relativeInterval:
      relative === null ? null : { low: interval.low / baseline, high: interval.high / baseline },
    p: Math.min(1, family * pValueOf(gap)),
    freedom: gap.freedom,
    noInterval: null,
  };
}

const unknownDifference = {
  difference: null,
  differenceInterval: null,
  relative: null,
  relativeInterval: null,
  p: null,
  freedom: null,
};
