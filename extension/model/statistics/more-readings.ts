import { defaultConfidence } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** How many more readings of each group would probably settle a comparison, or make an interval narrow enough. */
export interface MoreReadings {
  /** Of each group. When `atLeast`, more than this: the estimate was cut off. */
  readings: number;
  /** Launches they must be spread over, when readings share launches: more of the same launches would not help. */
  launches: number | null;
  atLeast: boolean;
}

/** What an estimate starts from: a group's readings and launches, and the interval they gave. */
export interface Progress {
  /** Of the smaller group. */
  readings: number;
  /** null when readings are independent. */
  launches: number | null;
  /** Half the width of the interval now. Any unit, the same as the one wanted. */
  halfWidth: number;
  /** Of that interval; default 0.95. */
  confidence?: number;
  /** Degrees of freedom of that interval; default: one less than there are launches. */
  freedom?: number | null;
}

/** What settles a comparison: that 0, or the margin to either side, lies outside its interval. */
export interface Question {
  /** The difference as it now seems, in the unit of the half width. */
  estimate: number;
  /** Differences within it count as none. */
  margin: number;
  /** Chance of an error that a verdict DIFFERENT may have, once the family has had its share. */
  alpha: number;
}

/** Beyond 20 times what there is, an estimate from what there is says no more than "many". */
const mostTimes = 20;

/** With so many readings four comparisons of five are settled. */
const settledShare = 0.8;

/**
 * More readings until the interval reaches `wantedHalfWidth` to either side: a width falls with the square root of the
 * number, over launches faster at first because Student's t falls too. null when it is narrow enough already. An estimate
 * only: the width now is itself known but roughly. A wanted width of 0 or less cannot be reached, and is cut off.
 */
export function moreReadings(progress: Progress, wantedHalfWidth: number): MoreReadings | null {
  if (progress.halfWidth <= wantedHalfWidth) return null;
  const { confidence = defaultConfidence } = progress;
  return fewest(
    progress,
    (units) =>
      errorAt(progress, units) * criticalAt(progress, units, confidence) <= wantedHalfWidth,
  );
}

/**
 * More readings that would settle a question in four cases of five: over all true differences that fit what was seen, not
 * only for the one that was seen (predictive probability; Spiegelhalter et al. 1986).
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
  // What the estimate will move by: the final one holds the readings that there are.
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

/** Standard error with so many units. */
function errorAt(progress: Progress, units: number): number {
  const { halfWidth, confidence = defaultConfidence } = progress;
  const now = unitsOf(progress);
  return (halfWidth / criticalAt(progress, now, confidence)) * Math.sqrt(now / units);
}
