import { designOf, type Scope } from './design.ts';
import type { Reading } from './readings.ts';

/** The least number of launches with which launch-to-launch variation can be estimated usefully. */
const fewestLaunches = 3;

/**
 * The scope that a group of readings, or the comparison of two, supports. Two launches show how far apart those two
 * are, and nothing about a third. An interval for any launch is then five times as wide as that of the readings
 * (Student's t: 12.7 for 2 launches, 4.3 for 3), and useless. With fewer than three launches the interval is therefore
 * made for these launches only, and must say so. Launches that a paired comparison leaves out do not count. Readings of
 * unknown launch are treated as independent, and support any launch.
 */
export function scopeOf(of: readonly Reading[], against = of): Scope {
  const design = designOf(of, against);
  const fewest = Math.min(design.of.length, design.against.length);
  return fewest < fewestLaunches ? 'these launches' : 'any launch';
}

/** Number of launches of some readings; each reading of unknown launch counts as one launch. */
export function launchesOf(readings: readonly Reading[]): number {
  return new Set(readings.map((reading) => reading.launch ?? reading)).size;
}
