import { byLaunch, type Reading } from './readings.ts';

/** The values of each launch. */
export type Launches = readonly (readonly number[])[];

/**
 * Scope of a result. `any launch`: it also holds for launches that were not measured, so launch-to-launch variation
 * widens the interval. `these launches`: it holds only for the launches that were measured.
 */
export type Scope = 'any launch' | 'these launches';

/**
 * Design of a comparison. `independent`: no two readings share a launch. `by launch`: readings share launches, and each
 * group has its own launches. `paired by launch`: both groups were read in the same launches, so launch effects cancel.
 */
export interface Design {
  kind: 'independent' | 'by launch' | 'paired by launch';
  /** One list per launch; when paired, both groups list the launches in the same order. */
  of: Launches;
  against: Launches;
  /** Readings excluded because their launch has only one of the two paired groups. Must be reported. */
  leftOut: number;
  /** The launch of some readings is unknown; they were treated as independent. */
  launchUnknown: boolean;
}

/** Determines the design from the launches of the readings. */
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

/** True when readings may be treated as independent: they are, or the scope is these launches. */
export function isIndependentIn(design: Design, scope: Scope | undefined): boolean {
  return scope === 'these launches' || design.kind === 'independent';
}
