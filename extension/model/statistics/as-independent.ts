import type { Design, Launches } from './design.ts';
import { median } from './quantile.ts';

/** The readings of two groups, without their launches. */
export interface Values {
  of: number[];
  against: number[];
}

/** The readings as if they shared no launch, but for what a launch does to both of two paired groups: that is taken away. */
export function asIndependent({ kind, of, against }: Design): Values {
  return kind === 'paired by launch'
    ? levelled(of, against)
    : { of: of.flat(), against: against.flat() };
}

/**
 * The values of groups that were read in the same launches, moved so that all launches have one level: what is left is what
 * tells the groups apart. The level of a launch is the median of all its values, of both groups.
 */
export function levelled(of: Launches, against: Launches): Values {
  const level = middle([...of.flat(), ...against.flat()]);
  const move = of.map((values, launch) => level - middle([...values, ...(against[launch] ?? [])]));
  const moved = (launches: Launches): number[] =>
    launches.flatMap((values, launch) => values.map((value) => value + (move[launch] ?? 0)));
  return { of: moved(of), against: moved(against) };
}

function middle(values: readonly number[]): number {
  return median(values) ?? Number.NaN;
}
