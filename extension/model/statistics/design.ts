import { byLaunch, type Reading } from './readings.ts';

/** The values of each launch. */
export type Launches = readonly (readonly number[])[];

/**
 * What a figure is to hold for. `any launch`: for launches that were not taken too, so that what differs from launch to
 * launch counts as doubt. `these launches`: for the launches that were taken and no others.
 */
export type Scope = 'any launch' | 'these launches';

/**
 * How two groups were measured. `independent`: no two readings share a launch. `by launch`: readings share launches, and
 * the groups have launches of their own. `paired by launch`: both groups were read in the same launches, so that what a
 * launch does to both cancels.
 */
export interface Design {
  kind: 'independent' | 'by launch' | 'paired by launch';
  /** One list a launch; of paired groups, the launches are in the same order. */
  of: Launches;
  against: Launches;
  /** Readings of launches that have only one of two paired groups: they are left out, and must be reported. */
  leftOut: number;
  /** The launch of some readings is unknown, and they were taken for independent. */
  launchUnknown: boolean;
}

/** Finds out how two groups were measured, from the launches of their readings. */
export function designOf(of: readonly Reading[], against: readonly Reading[]): Design {
  const [ofLaunches, againstLaunches] = [byLaunch(of), byLaunch(against)];
  const shared = [...ofLaunches.keys()].filter((launch) => againstLaunches.has(launch));
  const launchUnknown = [...of, ...against].some((reading) => reading.launch === null);
  if (shared.length > 0) {
    const take = (launches: Map<number | Reading, number[]>): Launches =>
      shared.map((launch) => launches.get(launch) ?? []);
    const [paired, pairedAgainst] = [take(ofLaunches), take(againstLaunches)];
    const leftOut = of.length + against.length - paired.flat().length - pairedAgainst.flat().length;
    return {
      kind: 'paired by launch',
      of: paired,
      against: pairedAgainst,
      leftOut,
      launchUnknown,
    };
  }
  const lists = { of: [...ofLaunches.values()], against: [...againstLaunches.values()] };
  const kind =
    isIndependent(lists.of) && isIndependent(lists.against) ? 'independent' : 'by launch';
  return { kind, ...lists, leftOut: 0, launchUnknown };
}

/** True when no two values share a launch. */
export function isIndependent(launches: Launches): boolean {
  return launches.every((values) => values.length === 1);
}

/** True when readings may be taken for independent: they are, or nothing beyond their launches is asked about. */
export function isIndependentIn(design: Design, scope: Scope | undefined): boolean {
  return scope === 'these launches' || design.kind === 'independent';
}
