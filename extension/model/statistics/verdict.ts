import { compareFamily, type Comparison, type GroupPair } from './comparison.ts';
import { holm } from './holm.ts';
import { holds } from './interval.ts';
import { scopeOf } from './launch-scope.ts';
import type { NoInterval } from './median-interval.ts';
import { type MoreReadings, moreToSettle } from './more-readings.ts';
import { normalQuantile } from './normal.ts';
import type { ResamplingOptions } from './resampling.ts';

/**
 * DIFFERENT: one median is significantly greater. SAME: the interval of the relative difference is within the margin
 * (equivalence). UNKNOWN: neither is shown; it never means SAME.
 */
export type Outcome = 'DIFFERENT' | 'SAME' | 'UNKNOWN';

/** Whether two groups differ, with the evidence. */
export interface Verdict {
  outcome: Outcome;
  /** Whether the first group's median is greater or lesser; null unless DIFFERENT. */
  direction: 'greater' | 'lesser' | null;
  /** The better group; null unless DIFFERENT. */
  better: 'of' | 'against' | null;
  /**
   * True when the groups have different distributions although their medians are not shown to differ. null when the
   * medians are shown to differ, or when unknown.
   */
  unlike: boolean | null;
  /** Why the outcome is UNKNOWN; null otherwise. */
  reason: NoInterval | 'baseline is 0' | 'interval too wide' | 'may be chance' | 'poor run' | null;
  /** Why the run permits no verdict; absent: it does (run/trust.ts). */
  inconclusive?: string;
  /** Readings that would probably decide it; null unless UNKNOWN with a known interval. */
  more: MoreReadings | null;
  /** True when the difference, however small, is significant: the interval excludes 0, and `p` is at most alpha. */
  beyondChance: boolean;
  /** The p-value of the outcome, after Holm's correction over the comparisons judged together. */
  p: number | null;
  /** The equivalence margin as a share of the baseline's median, for example 0.02. */
  margin: number;
}

/** How to judge a comparison. */
export interface VerdictOptions {
  better: 'lower' | 'higher';
  /**
   * Why the run permits no verdict, which makes every outcome UNKNOWN: `inconclusive` of its trust (run/trust.ts). null:
   * it permits them, or the readings belong to no run.
   */
  inconclusive: string | null;
  /** Equivalence margin, as a share of the baseline's median: SAME where the whole interval of the relative difference
   * is within it. Above 0; default 0.02. */
  margin?: number;
  /**
   * Significance level: the probability of calling two equal groups DIFFERENT. Default 0.05; lower after interim looks
   * (stop-rule.ts).
   */
  alpha?: number;
}

/** Equivalence margin, as a share of the baseline's median. */
export const defaultMargin = 0.02;
/** Significance level of a family of comparisons. */
export const defaultAlpha = 0.05;

/**
 * Judges comparisons that belong together, such as the cells of one sweep, with Holm's correction: one verdict per
 * comparison, in order.
 */
export function judge(comparisons: readonly Comparison[], options: VerdictOptions): Verdict[] {
  const p = holm(comparisons.map((comparison) => comparison.p));
  const pAlike = holm(comparisons.map((comparison) => comparison.pAlike));
  const { inconclusive } = options;
  return comparisons.map((comparison, index) => {
    const verdict = verdictOf(comparison, p[index] ?? null, pAlike[index] ?? null, options);
    // Without an interval there is no verdict to withhold, and the reason for that is the nearer one.
    const isKept = inconclusive === null || comparison.noInterval !== null;
    return isKept ? verdict : withheld(verdict, inconclusive);
  });
}

/** A pair of groups with its comparison and its verdict. */
export type Judged<Pair> = Pair & { comparison: Comparison; verdict: Verdict };

/**
 * Confidence of the intervals for verdicts at a significance level; at least 95 %. A false SAME is an error at one end
 * of an interval only, so a confidence of 1 - 2 alpha limits it to alpha.
 */
export function confidenceAt(alpha: number = defaultAlpha): number {
  return 1 - 2 * Math.min(alpha, defaultAlpha / 2);
}

/** Compares and judges pairs of groups that belong together, each in the scope that its readings support; in order. */
export function judgedFamily<Pair extends GroupPair>(
  pairs: readonly Pair[],
  options: Omit<ResamplingOptions, 'confidence'> & VerdictOptions,
): Judged<Pair>[] {
  const scoped = pairs.map((pair) => ({ ...pair, scope: scopeOf(pair.of, pair.against) }));
  const comparisons = compareFamily(scoped, {
    ...options,
    confidence: confidenceAt(options.alpha),
  });
  const verdicts = judge(comparisons, options);
  return pairs.flatMap((pair, index) => {
    const [comparison, verdict] = [comparisons[index], verdicts[index]];
    return comparison && verdict ? [{ ...pair, comparison, verdict }] : [];
  });
}

function withheld(verdict: Verdict, inconclusive: string): Verdict {
  const { p, margin } = verdict;
  return {
    outcome: 'UNKNOWN',
    direction: null,
    better: null,
    unlike: null,
    reason: 'poor run',
    inconclusive,
    beyondChance: false,
    more: null,
    p,
    margin,
  };
}

function verdictOf(
  comparison: Comparison,
  p: number | null,
  pAlike: number | null,
  { better, margin = defaultMargin, alpha = defaultAlpha }: VerdictOptions,
): Verdict {
  const { relativeInterval, differenceInterval } = comparison;
  const isApart = isShownApart(comparison);
  const beyondChance = isApart && p !== null && p <= alpha;
  const isWithin =
    relativeInterval && -margin < relativeInterval.low && relativeInterval.high < margin;
  // Equivalence first: a significant difference within the margin is one that the user does not care about.
  const outcome = isWithin ? 'SAME' : beyondChance ? 'DIFFERENT' : 'UNKNOWN';
  const isGreater = (differenceInterval?.low ?? 0) > 0;
  const direction = outcome === 'DIFFERENT' ? (isGreater ? 'greater' : 'lesser') : null;
  return {
    outcome,
    direction,
    better: direction && ((direction === 'lesser') === (better === 'lower') ? 'of' : 'against'),
    unlike: isApart || pAlike === null ? null : pAlike <= alpha,
    reason: outcome === 'UNKNOWN' ? reasonOf(comparison) : null,
    beyondChance,
    more: outcome === 'UNKNOWN' ? moreOf(comparison, p, margin, alpha) : null,
    p,
    margin,
  };
}

function isShownApart({ differenceInterval }: Comparison): boolean {
  return differenceInterval !== null && !holds(differenceInterval, 0);
}

function reasonOf(comparison: Comparison): Verdict['reason'] {
  if (comparison.noInterval) return comparison.noInterval;
  if (comparison.relative === null) return 'baseline is 0';
  // The interval excludes 0, but the p-value is not small enough, for example after Holm's correction.
  return isShownApart(comparison) ? 'may be chance' : 'interval too wide';
}

/** Readings that would decide it either way. Holm's correction makes DIFFERENT harder, and does not affect SAME. */
function moreOf(
  comparison: Comparison,
  p: number | null,
  margin: number,
  alpha: number,
): MoreReadings | null {
  const { relative, relativeInterval, method, confidence, freedom, of, against } = comparison;
  if (relative === null || relativeInterval === null || p === null) return null;
  const ofInterval = (relativeInterval.high - relativeInterval.low) / 2;
  // The rank test may be less significant than the interval: then the half width is derived from the p-value.
  const byChance =
    isShownApart(comparison) && comparison.p !== null
      ? (Math.abs(relative) * normalQuantile((1 + confidence) / 2)) /
        normalQuantile(1 - comparison.p / 2)
      : 0;
  const halfWidth = Math.max(ofInterval, byChance);
  if (!(halfWidth > 0) || halfWidth === Infinity) return null;
  const readings = Math.min(of.readings, against.readings);
  const launches = method === 't over launches' ? Math.min(of.launches, against.launches) : null;
  const corrected = p > 0 ? (comparison.p ?? p) / p : 1;
  return moreToSettle(
    { readings, launches, halfWidth, confidence, freedom },
    { estimate: relative, margin, alpha: alpha * corrected },
  );
}
