import type { Comparison } from './comparison.ts';
import { normalCdf } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** How many more launches of each group would probably decide a comparison. */
export interface MoreLaunches {
  /** Further launches. When `atLeast`, more than this: the search stopped at its limit. */
  launches: number;
  atLeast: boolean;
}

/** Limit of the estimate, as a multiple of the current number: beyond it only "many" is known. */
const mostTimes = 20;

/** The number of launches is such that this share of comparisons is decided. */
const settledShare = 0.8;

/** What a comparison has shown so far. The values are shares of the baseline's level. */
interface Progress {
  estimate: number;
  launches: number;
  freedom: number;
  /** Standard error of the estimate. */
  error: number;
  /** Confidence of its own interval, which is above that of the family. */
  confidence: number;
}

/**
 * More launches with which a comparison would be decided with probability 0.8: averaged over all true differences that
 * are compatible with the data, not only the estimated one (predictive probability; Spiegelhalter et al. 1986). More
 * readings of the same launches help less. null without an interval of some width.
 */
export function moreToSettle(
  { relative, relativeInterval, freedom, family, confidence: all, of, against }: Comparison,
  margin: number,
): MoreLaunches | null {
  if (relative === null || relativeInterval === null || freedom === null) return null;
  const launches = Math.min(of.launches, against.launches);
  const confidence = 1 - (1 - all) / family;
  const halfWidth = (relativeInterval.high - relativeInterval.low) / 2;
  const error = halfWidth / studentCritical(confidence, freedom);
  if (!(error > 0 && error < Infinity)) return null;
  const progress = { estimate: relative, launches, freedom, error, confidence };
  const isEnough = (total: number): boolean =>
    chanceToSettle(progress, margin, total) >= settledShare;
  const most = launches * mostTimes;
  let [tooFew, enough] = [launches, most];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return { launches: enough - launches, atLeast: !isEnough(most) };
}

function chanceToSettle(
  { estimate, launches, freedom, error, confidence }: Progress,
  margin: number,
  total: number,
): number {
  const then = error * Math.sqrt(launches / total);
  // Standard deviation of the change of the estimate: the final estimate includes the current launches.
  const move = Math.sqrt(error ** 2 - then ** 2);
  const below = (bound: number): number => normalCdf((bound - estimate) / move);
  const apart = then * studentCritical(confidence, freedom + total - launches);
  const alike = margin - apart;
  if (alike >= apart) return 1;
  const different = below(-apart) + 1 - below(apart);
  return different + (alike > 0 ? below(alike) - below(-alike) : 0);
}
