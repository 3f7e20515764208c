import { type ComparedIntervals, comparedIntervals, strataOf } from './compared-intervals.ts';
import { type Design, designOf, isIndependentIn, type Scope } from './design.ts';
import {
  type RankEffect,
  rankEffect,
  type StandardizedDifference,
  standardizedDifference,
} from './effect-size.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';
import { launchDifference, launchGap, type LaunchGap } from './launch-gap.ts';
import { launchLogSpread, levelsOf } from './launch-level.ts';
import { mannWhitney } from './mann-whitney.ts';
import type { ResamplingOptions } from './resampling.ts';
import { moderated } from './moderation.ts';
import { quantile } from './quantile.ts';
import { problemsOf, type Reading, type ReadingsProblem, valuesOf } from './readings.ts';
import { vanElteren } from './van-elteren.ts';
import { chanceOf } from './welch.ts';

/** What is known of one of two groups. Figures in the unit of the readings; null when they cannot be used. */
export interface GroupSummary {
  readings: number;
  /** Readings of unknown launch count as one each. */
  launches: number;
  /** The median; of readings that share launches the mean of the launches' medians (`levelOf`). */
  median: number | null;
  /** Ends of the middle half of the readings: the quartiles. */
  middleHalf: Interval | null;
}

/** Two groups of readings, compared: the first (`of`) against the second (`against`, the baseline). No verdict yet. */
export interface Comparison extends ComparedIntervals {
  of: GroupSummary;
  against: GroupSummary;
  design: Design['kind'];
  /** What the figures hold for. */
  scope: Scope;
  /** Share of repetitions in which the intervals hold the truth, for example 0.95. */
  confidence: number;
  /** Readings of launches that have only one of two paired groups: they are in no figure. */
  leftOut: number;
  /** Some readings do not say their launch and were taken for independent of all others. */
  launchUnknown: boolean;
  /** median(of) - median(against), in the unit of the readings. */
  difference: number | null;
  /** median(of) / median(against) - 1: of paired groups the mean of the launches' gaps. null when the baseline's is 0. */
  relative: number | null;
  /** Chance of groups as far apart as these, or further, if neither were the greater. null: unknown. */
  p: number | null;
  /**
   * Chance of groups as unlike as these if both followed one distribution: the smaller of the p-value above and one that sees
   * spread and shape, doubled because the smaller of two was taken (as Pinpoint, which does not double). null: unknown.
   */
  pAlike: number | null;
  effect: RankEffect | null;
  standardized: StandardizedDifference | null;
  /** What is wrong with the readings, of both groups; every figure is null then. */
  problems: ReadingsProblem[];
}

/** Names for messages about the two groups. */
export interface GroupNames {
  of: string;
  against: string;
}

/** Two groups of readings that are to be compared. */
export interface GroupPair {
  of: readonly Reading[];
  against: readonly Reading[];
  names?: GroupNames;
  /** What its figures are to hold for; default: that of the options. */
  scope?: Scope;
}

/** Compares two groups of readings that belong to no family: see `compareFamily`. */
export function compare(
  of: readonly Reading[],
  against: readonly Reading[],
  options: ResamplingOptions,
  names?: GroupNames,
): Comparison {
  return comparisonOf(measure({ of, against, ...(names && { names }) }, options), options);
}

/**
 * Compares pairs of groups that belong together, such as the points of one sweep: one comparison each, in their order.
 * Readings that share launches: Student's t over launches, which count as one reading each, with what the family's scatters
 * have in common (moderation.ts). Independent readings: BCa bootstrap, Mann-Whitney and Kolmogorov-Smirnov. Readings that speak for
 * their launches only: bootstrap and ranks within launches. Never throws: what cannot be known is null, with the reason. Equal values have an interval of no width:
 * what the timer rounded away is not in it.
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

/** A pair before its family is known. */
interface Measured {
  summary: Pick<
    Comparison,
    'of' | 'against' | 'design' | 'scope' | 'leftOut' | 'launchUnknown' | 'problems'
  >;
  design: Design;
  /** null where launches are not what is compared, or too few. */
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
  const [level = null, baseline = null] = levelsOf([
    strataOf(design, design.of),
    strataOf(design, design.against),
  ]);
  const group = (
    readings: readonly Reading[],
    launches: Design['of'],
    own: number | null,
  ): GroupSummary => summaryOf(usable ? launches.flat() : valuesOf(readings), own, launches.length);
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
    return { ...known, ...unknownFigures };
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

/** Levels nearer to each other than this share of them differ by the rounding of doubles alone. */
const residue = 1e-12;

function settled(value: number, least: number): number {
  return Math.abs(value) < least ? 0 : value;
}

function settledInterval(interval: Interval | null, least: number): Interval | null {
  return interval && { low: settled(interval.low, least), high: settled(interval.high, least) };
}

const unknownFigures = {
  difference: null,
  differenceInterval: null,
  relative: null,
  relativeInterval: null,
  method: null,
  freedom: null,
  noInterval: 'no usable readings',
  p: null,
  pAlike: null,
  effect: null,
  standardized: null,
} as const;

function summaryOf(
  values: readonly number[],
  level: number | null,
  launches: number,
): GroupSummary {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return {
    readings: values.length,
    launches,
    median: level,
    middleHalf: low === null || high === null ? null : { low, high },
  };
}

/** The chances that the groups arose by chance: over launches, or over readings where launches are not in question. */
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
