import { least } from '../extremes.ts';
import type { Scope } from './design.ts';
import type { Reading } from './readings.ts';

/** From this many launches on, what differs between them can be told from what differs within them. */
const fewestLaunches = 3;

/**
 * What figures from some readings can hold for. Two launches say how far apart two launches are, and nothing of a third:
 * an interval for any launch is then five times as wide as the readings' own (Student's t: 12.7 for 2 launches, 4.3 for
 * 3), and of no use. So with fewer than three it is made for these launches only, and must say so. Readings of unknown
 * launch are taken for independent, and hold for any.
 */
export function scopeOf(...groups: readonly (readonly Reading[])[]): Scope {
  const fewest = least(groups.map(launchesOf));
  return fewest < fewestLaunches ? 'these launches' : 'any launch';
}

/** Number of launches behind some readings; those of unknown launch count as one each. */
export function launchesOf(readings: readonly Reading[]): number {
  return new Set(readings.map((reading) => reading.launch ?? reading)).size;
}
