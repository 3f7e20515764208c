import { defaultConfidence } from './interval.ts';
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
}

/** Beyond 20 times what there is, an estimate from what there is says no more than "many". */
const mostTimes = 20;

/**
 * More readings until the interval reaches `wantedHalfWidth` to either side: a width falls with the square root of the
 * number, over launches faster at first because Student's t falls too. null when it is narrow enough already. An estimate
 * only: the width now is itself known but roughly. A wanted width of 0 or less cannot be reached, and is cut off.
 */
export function moreReadings(progress: Progress, wantedHalfWidth: number): MoreReadings | null {
  const { readings, launches, halfWidth } = progress;
  if (halfWidth <= wantedHalfWidth) return null;
  const units = launches ?? readings;
  const most = units * mostTimes;
  const atLeast = halfWidthAt(progress, most) > wantedHalfWidth;
  let [tooFew, enough] = [units, most];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (halfWidthAt(progress, middle) > wantedHalfWidth) tooFew = middle;
    else enough = middle;
  }
  return {
    readings: Math.ceil(((enough - units) * readings) / units),
    launches: launches === null ? null : enough - units,
    atLeast,
  };
}

function halfWidthAt({ readings, launches, halfWidth }: Progress, units: number): number {
  const now = launches ?? readings;
  const critical = (count: number): number =>
    launches === null ? 1 : studentCritical(defaultConfidence, count - 1);
  return halfWidth * Math.sqrt(now / units) * (critical(units) / critical(now));
}
