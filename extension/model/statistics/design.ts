import { byLaunch, type Reading } from './readings.ts';

/** The values of each launch. A reading of unknown launch counts as a launch of its own. */
export type Launches = readonly (readonly number[])[];

/**
 * Design of a comparison. `paired by launch`: both groups were read in the same launches, so launch effects cancel. `by
 * launch`: each group has its own launches.
 */
export interface Design {
  kind: 'by launch' | 'paired by launch';
  /** One list per launch; when paired, both groups list the launches in the same order. */
  of: Launches;
  against: Launches;
  /** Readings excluded because their launch has only one of the two paired groups. Must be reported. */
  leftOut: number;
}

/** Determines the design from the launches of the readings. */
export function designOf(of: readonly Reading[], against: readonly Reading[]): Design {
  const [ofLaunches, againstLaunches] = [byLaunch(of), byLaunch(against)];
  const shared = [...ofLaunches.keys()].filter((launch) => againstLaunches.has(launch));
  if (shared.length === 0) {
    const lists = { of: [...ofLaunches.values()], against: [...againstLaunches.values()] };
    return { kind: 'by launch', ...lists, leftOut: 0 };
  }
  const take = (launches: Map<number | Reading, number[]>): Launches =>
    shared.map((launch) => launches.get(launch) ?? []);
  const [paired, pairedAgainst] = [take(ofLaunches), take(againstLaunches)];
  const leftOut = of.length + against.length - paired.flat().length - pairedAgainst.flat().length;
  return { kind: 'paired by launch', of: paired, against: pairedAgainst, leftOut };
}

/** Number of launches of some readings; each reading of unknown launch counts as one launch. */
export function launchesOf(readings: readonly Reading[]): number {
  return new Set(readings.map((reading) => reading.launch ?? reading)).size;
}
