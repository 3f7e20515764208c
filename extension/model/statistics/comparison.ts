import { asIndependent, type Values } from './as-independent.ts';
import { type ComparedIntervals, comparedIntervals } from './compared-intervals.ts';
import { type Design, designOf, isIndependentIn, type Scope } from './design.ts';
import {
  type RankEffect,
  rankEffectOf,
  type StandardizedDifference,
  standardizedDifference,
} from './effect-size.ts';
import { defaultConfidence, type Interval } from './interval.ts';
import { kolmogorovSmirnov } from './kolmogorov-smirnov.ts';
import { launchLogSpread, launchMedian, launchTest } from './launch-test.ts';
import { mannWhitney } from './mann-whitney.ts';
import type { ResamplingOptions } from './median-interval.ts';
import { median, quantile } from './quantile.ts';
import { problemsOf, type Reading, type ReadingsProblem, valuesOf } from './readings.ts';

/** What is known of one of two groups. Figures in the unit of the readings; null when they cannot be used. */
export interface GroupSummary {
  readings: number;
  /** Readings of unknown launch count as one each. */
  launches: number;
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
  /** median(of) / median(against) - 1; null when the baseline's median is 0. */
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

/**
 * Compares two groups of readings by their medians. Independent readings: BCa bootstrap, Mann-Whitney and Kolmogorov-Smirnov.
 * Readings that share launches: 10 launches a group and more by resampling launches, 2 to 9 by t over launches and never
 * narrower than independent readings would give; p-values over launches, which count as one reading each. Never throws:
 * what cannot be known is null, with the reason. Equal values have an interval of no width: what the timer rounded away is
 * not in it.
 */
export function compare(
  of: readonly Reading[],
  against: readonly Reading[],
  options: ResamplingOptions,
  names: GroupNames = { of: 'the first group', against: 'the second group' },
): Comparison {
  const problems = [...problemsOf(of, names.of), ...problemsOf(against, names.against)];
  const design = designOf(of, against);
  const [first, second] = [design.of.flat(), design.against.flat()];
  const usable = problems.length === 0;
  const summary = {
    of: summaryOf(usable ? first : valuesOf(of), design.of.length),
    against: summaryOf(usable ? second : valuesOf(against), design.against.length),
    design: design.kind,
    scope: options.scope ?? 'any launch',
    confidence: options.confidence ?? defaultConfidence,
    leftOut: design.leftOut,
    launchUnknown: design.launchUnknown,
    problems,
  };
  const [ofMedian, againstMedian] = [summary.of.median, summary.against.median];
  if (!usable || ofMedian === null || againstMedian === null) {
    return { ...summary, ...unknownFigures };
  }
  const values = asIndependent(design);
  const chance = mannWhitney(values.of, values.against);
  const raw = design.kind === 'paired by launch' ? mannWhitney(first, second) : chance;
  return {
    ...summary,
    difference: ofMedian - againstMedian,
    relative: againstMedian > 0 ? ofMedian / againstMedian - 1 : null,
    ...comparedIntervals(design, values, ofMedian, againstMedian, options),
    ...chancesOf(design, values, chance?.p ?? null, options),
    effect: raw && rankEffectOf(raw.u, first.length * second.length),
    standardized: standardizedDifference(first, second),
  };
}

const unknownFigures = {
  difference: null,
  differenceInterval: null,
  relative: null,
  relativeInterval: null,
  method: null,
  noInterval: 'no usable readings',
  p: null,
  pAlike: null,
  effect: null,
  standardized: null,
} as const;

function summaryOf(values: readonly number[], launches: number): GroupSummary {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return {
    readings: values.length,
    launches,
    median: median(values),
    middleHalf: low === null || high === null ? null : { low, high },
  };
}

/** The chances that the groups arose by chance: over readings, and, when readings share launches, over launches too. */
function chancesOf(
  design: Design,
  values: Values,
  ofReadings: number | null,
  options: ResamplingOptions,
): Pick<Comparison, 'p' | 'pAlike'> {
  if (isIndependentIn(design, options.scope)) {
    const shape = kolmogorovSmirnov(values.of, values.against)?.p ?? null;
    return { p: ofReadings, pAlike: smallerOfTwo(ofReadings, shape) };
  }
  const ofLaunches = launchTest(design, launchMedian)?.p ?? null;
  const p = ofReadings === null || ofLaunches === null ? null : Math.max(ofReadings, ofLaunches);
  return { p, pAlike: smallerOfTwo(p, launchTest(design, launchLogSpread)?.p ?? null) };
}

function smallerOfTwo(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return null;
  return Math.min(1, 2 * Math.min(one, other));
}
