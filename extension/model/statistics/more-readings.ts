import { defaultConfidence } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** How many more readings of each group would probably decide a comparison. */
export interface MoreReadings {
  /** Readings of each group. When `atLeast`, more than this: the search stopped at its limit. */
  readings: number;
  /**
   * Launches over which they must be spread, when readings share launches: more readings of the same launches would not
   * help. null when readings are independent.
   */
  launches: number | null;
  atLeast: boolean;
}

/** Input of the estimate: the readings and launches of a group, and the width of their interval. */
export interface Progress {
  /** Readings of the smaller group. */
  readings: number;
  /** null when readings are independent. */
  launches: number | null;
  /** Half the width of the current interval. In the unit of the estimate. */
  halfWidth: number;
  /** Confidence level of that interval; default 0.95. */
  confidence?: number;
  /** Degrees of freedom of that interval; default: the number of launches minus 1. */
  freedom?: number | null;
}

/** A comparison is decided when its interval excludes 0, or is within the margin. */
export interface Question {
  /** Current estimate of the difference, in the unit of the half width. */
  estimate: number;
  /** Equivalence margin: smaller differences count as none. */
  margin: number;
  /** Significance level of the verdict DIFFERENT, after correction for the family. */
  alpha: number;
}

/** Limit of the estimate, as a multiple of the current number: beyond it only "many" is known. */
const mostTimes = 20;

/** The number of readings is such that this share of comparisons is decided. */
const settledShare = 0.8;

/**
 * More readings with which a comparison would be decided with probability 0.8: averaged over all true differences that
 * are compatible with the data, not only the estimated one (predictive probability; Spiegelhalter et al. 1986).
 */
export function moreToSettle(progress: Progress, question: Question): MoreReadings {
  return fewest(progress, (units) => chanceToSettle(progress, question, units) >= settledShare);
}

function chanceToSettle(
  progress: Progress,
  { estimate, margin, alpha }: Question,
  units: number,
): number {
  const { confidence = defaultConfidence } = progress;
  const [now, then] = [errorAt(progress, unitsOf(progress)), errorAt(progress, units)];
  // Standard deviation of the change of the estimate: the final estimate includes the current readings.
  const move = Math.sqrt(now ** 2 - then ** 2);
  const below = (bound: number): number => normalCdf((bound - estimate) / move);
  const apart = then * criticalAt(progress, units, 1 - alpha);
  const alike = margin - then * criticalAt(progress, units, confidence);
  if (alike >= apart) return 1;
  const different = below(-apart) + 1 - below(apart);
  return different + (alike > 0 ? below(alike) - below(-alike) : 0);
}

function fewest(progress: Progress, isEnough: (units: number) => boolean): MoreReadings {
  const units = unitsOf(progress);
  const most = units * mostTimes;
  let [tooFew, enough] = [units, most];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return {
    readings: Math.ceil(((enough - units) * progress.readings) / units),
    launches: progress.launches === null ? null : enough - units,
    atLeast: !isEnough(most),
  };
}

function unitsOf({ readings, launches }: Progress): number {
  return launches ?? readings;
}

function criticalAt(progress: Progress, units: number, confidence: number): number {
  const { launches, freedom } = progress;
  return launches === null
    ? normalQuantile((1 + confidence) / 2)
    : studentCritical(confidence, (freedom ?? launches - 1) + units - launches);
}

/** Standard error with `units` readings or launches. */
function errorAt(progress: Progress, units: number): number {
  const { halfWidth, confidence = defaultConfidence } = progress;
  const now = unitsOf(progress);
  return (halfWidth / criticalAt(progress, now, confidence)) * Math.sqrt(now / units);
}
