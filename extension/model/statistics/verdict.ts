import { compareFamily, type Comparison, defaultAlpha, type GroupPair } from './comparison.ts';
import { holds } from './interval.ts';
import type { NoInterval } from './median-interval.ts';
import { type MoreLaunches, moreToSettle } from './more-launches.ts';

/**
 * DIFFERENT: the interval of the difference excludes 0. SAME: it is within the margin (equivalence). UNKNOWN: neither is
 * shown; it never means SAME.
 */
export type Outcome = 'DIFFERENT' | 'SAME' | 'UNKNOWN';

/** Whether two groups differ. */
export interface Verdict {
  outcome: Outcome;
  /** Whether the first group's level is greater or lesser; null unless DIFFERENT. */
  direction: 'greater' | 'lesser' | null;
  /** The better group; null unless DIFFERENT. */
  better: 'of' | 'against' | null;
  /** Why the outcome is UNKNOWN; null otherwise. */
  reason: NoInterval | 'baseline is 0' | 'interval too wide' | 'inconclusive' | null;
  /** Why the run (run/trust.ts) or the pair permits no verdict, as a clause; absent: both do. */
  inconclusive?: string;
  /** Launches that would probably decide it; null unless UNKNOWN with a known interval. */
  more: MoreLaunches | null;
  /** True when the difference, however small, is significant: the interval excludes 0. */
  beyondChance: boolean;
  /** The p-value of the comparison, adjusted for its family. */
  p: number | null;
  /** The equivalence margin as a share of the baseline's level, for example 0.02. */
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
  /** Equivalence margin, as a share of the baseline's level: SAME where the whole interval of the relative difference
   * is within it. Above 0; default 0.02. */
  margin?: number | undefined;
  /**
   * Significance level: the probability that any of a family of equal groups is called DIFFERENT. Default 0.05; lower
   * after interim looks (stop-rule.ts).
   */
  alpha?: number | undefined;
}

/** Equivalence margin, as a share of the baseline's level. */
export const defaultMargin = 0.02;

/** What a pair of groups holds beside its readings, with its comparison and its verdict. */
export type Judged<Pair> = Omit<Pair, 'of' | 'against'> & {
  comparison: Comparison;
  verdict: Verdict;
};

/** Two groups to judge. */
export interface JudgedPair extends GroupPair {
  /** Why this pair permits no verdict, as a clause; absent or null: it does, if its run does. */
  inconclusive?: string | null;
}

/**
 * Compares and judges pairs of groups that answer one question, as one family; in order. Every verdict of every
 * experiment comes from here.
 */
export function judgedFamily<Pair extends JudgedPair>(
  pairs: readonly Pair[],
  options: VerdictOptions,
): Judged<Pair>[] {
  const comparisons = compareFamily(pairs, options.alpha ?? defaultAlpha);
  return pairs.flatMap((pair, index) => {
    const comparison = comparisons[index];
    if (!comparison) return [];
    // The readings of all pairs of a large run would not fit into memory.
    const { of: _, against: __, ...kept } = pair;
    const inconclusive = options.inconclusive ?? pair.inconclusive ?? null;
    return [{ ...kept, comparison, verdict: verdictOf(comparison, { ...options, inconclusive }) }];
  });
}

/** Several families, each of the pairs with one name of a question; in the order of the pairs. */
export function judgedFamilies<Pair extends JudgedPair & { question: string }>(
  pairs: readonly Pair[],
  options: VerdictOptions,
): Judged<Pair>[] {
  const families = [...Map.groupBy(pairs.keys(), (index) => pairs[index]?.question).values()];
  const judged: Judged<Pair>[] = [];
  for (const own of families) {
    const family = judgedFamily(
      own.flatMap((index) => pairs[index] ?? []),
      options,
    );
    for (const [place, index] of own.entries()) {
      const each = family[place];
      if (each) judged[index] = each;
    }
  }
  return judged;
}

/** Judges one comparison. */
export function verdictOf(comparison: Comparison, options: Omit<VerdictOptions, 'alpha'>): Verdict {
  const verdict = shownBy(comparison, options);
  // Without an interval there is no verdict to withhold, and the reason for that is the nearer one.
  const { inconclusive } = options;
  if (inconclusive === null || comparison.noInterval !== null) return verdict;
  return {
    ...verdict,
    outcome: 'UNKNOWN',
    direction: null,
    better: null,
    reason: 'inconclusive',
    inconclusive,
    beyondChance: false,
    more: null,
  };
}

function shownBy(
  comparison: Comparison,
  { better, margin = defaultMargin }: Omit<VerdictOptions, 'alpha'>,
): Verdict {
  const { relativeInterval, differenceInterval, p } = comparison;
  const beyondChance = differenceInterval !== null && !holds(differenceInterval, 0);
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
    reason: outcome === 'UNKNOWN' ? reasonOf(comparison) : null,
    beyondChance,
    more: outcome === 'UNKNOWN' ? moreToSettle(comparison, margin) : null,
    p,
    margin,
  };
}

function reasonOf({ noInterval, relative }: Comparison): Verdict['reason'] {
  return noInterval ?? (relative === null ? 'baseline is 0' : 'interval too wide');
}
