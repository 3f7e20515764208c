import type { SweepReads } from './reads.ts';
import { nestedVariance, type VarianceComponents } from './nested-variance.ts';
import { median } from '../statistics/quantile.ts';
import { designOf } from '../statistics/design.ts';
import {
  halvingDesign,
  type LaunchCost,
  launchCostOf,
  type MachineDesign,
  machineTimeOf,
} from './machine-design.ts';
import { leastMachines, type MachineReading } from './machine-effect.ts';

/** Where the variance of a pair's effect comes from, and what would halve its interval. */
export interface MachineVariance {
  /** Of the logarithm of the effect. */
  components: VarianceComponents;
  /** The design of this run: medians where machines or launches differ. null: the cost of a launch is unknown. */
  now: MachineDesign | null;
  /**
   * The design with the least machine time whose interval for any machine is half as wide. null: unknown with fewer than
   * 4 machines or without the cost of a launch, or out of reach (machine-design.ts).
   */
  halved: MachineDesign | null;
}

/** The variance of one pair at one point. null: unknown (nested-variance.ts), or the groups share no launches. */
export function machineVariance(
  of: readonly MachineReading[],
  against: readonly MachineReading[],
  costOf: (readsPerCell: number) => LaunchCost | null,
): MachineVariance | null {
  const machineOf = ({ machine }: MachineReading) => machine;
  const [first, second] = [Map.groupBy(of, machineOf), Map.groupBy(against, machineOf)];
  const designs = [...first].map(([machine, own]) => designOf(own, second.get(machine) ?? []));
  const paired = designs.filter(
    ({ kind, of: launches }) => kind === 'paired by launch' && launches.length > 0,
  );
  if (paired.length < designs.length) return null;
  const machines = paired.map((design) =>
    design.of.map((reads, launch) => ({
      of: reads.map(Math.log),
      against: (design.against[launch] ?? []).map(Math.log),
    })),
  );
  const components = nestedVariance(machines);
  if (components === null || !Object.values(components).every(Number.isFinite)) return null;
  const size = {
    machines: machines.length,
    launches: median(machines.map(({ length }) => length)) ?? 0,
    reads: median(machines.flat().map((launch) => launch.of.length)) ?? 0,
  };
  const cost = costOf(size.reads);
  if (cost === null) return { components, now: null, halved: null };
  const now = { ...size, machineTimeMs: machineTimeOf(size, cost) };
  const halved = size.machines < leastMachines ? null : halvingDesign(components, size, cost);
  return { components, now, halved };
}

/** The cost of a launch of a run by its reads of each cell, computed once for each number. */
export function costsByReads(
  times: SweepReads['launchTimes'],
): (readsPerCell: number) => LaunchCost | null {
  const known = new Map<number, LaunchCost | null>();
  return (reads) => {
    const cost = known.has(reads) ? (known.get(reads) ?? null) : launchCostOf(times, reads);
    known.set(reads, cost);
    return cost;
  };
}
