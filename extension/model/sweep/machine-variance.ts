import { mean, sampleVariance } from 'simple-statistics';
import { designOf } from '../statistics/design.ts';
import { median } from '../statistics/quantile.ts';
import { halvingDesign, type PassCost, machineTimeOf } from './machine-design.ts';
import { leastMachines, type MachineReading } from './machine-effect.ts';
import type { MachineDesign, MachineVariance, VarianceComponents } from './saved-summary.ts';

/** The variance of one pair at one point. null: unknown (`nestedVariance`), or the groups share no launches. */
export function machineVariance(
  of: readonly MachineReading[],
  against: readonly MachineReading[],
  costOf: (size: Omit<MachineDesign, 'machineTimeMs'>) => PassCost | null,
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
  const cost = costOf(size);
  if (cost === null) return { components, now: null, halved: null };
  const now = { ...size, machineTimeMs: machineTimeOf(size, cost) };
  const halved = size.machines < leastMachines ? null : halvingDesign(components, size, cost);
  return { components, now, halved };
}

/** Reads of both groups in one launch, as logarithms. */
export interface PairedLaunch {
  of: readonly number[];
  against: readonly number[];
}

/**
 * Estimates the components by the method of moments with unweighted means, which is the analysis of variance where the
 * design is balanced (Searle, Casella and McCulloch, "Variance Components", 1992, chapters 3 to 5). Negative estimates
 * become 0. null: a source cannot be separated, with fewer than two machines, two launches on a machine, or two reads of
 * each group in a launch.
 */
export function nestedVariance(
  machines: readonly (readonly PairedLaunch[])[],
): VarianceComponents | null {
  const launches = machines.flat();
  const of = pooledVariance(launches.map((launch) => launch.of));
  const against = pooledVariance(launches.map((launch) => launch.against));
  if (machines.length < 2 || of === null || against === null) return null;
  /** Part of the variance of a launch's effect that its reads explain. */
  const byReads = (launch: PairedLaunch): number =>
    of / launch.of.length + against / launch.against.length;
  const own = machines.map((each) => ({
    effects: each.map((launch) => mean([...launch.of]) - mean([...launch.against])),
    byReads: mean(each.map(byReads)),
  }));
  const freedom = own.reduce((sum, { effects }) => sum + effects.length - 1, 0);
  if (freedom === 0) return null;
  const launchSum = own.reduce(
    (sum, { effects, byReads: explained }) =>
      sum + squaresOf(effects) - (effects.length - 1) * explained,
    0,
  );
  const launch = Math.max(0, launchSum / freedom);
  const explained = own.map(({ effects, byReads: read }) => (launch + read) / effects.length);
  const between = sampleVariance(own.map(({ effects }) => mean(effects)));
  return { machine: Math.max(0, between - mean(explained)), launch, read: of + against };
}

/** Variance within groups, over all groups; null when none has two values. */
function pooledVariance(groups: readonly (readonly number[])[]): number | null {
  const freedom = groups.reduce((sum, { length }) => sum + length - 1, 0);
  if (freedom === 0) return null;
  return groups.reduce((sum, group) => sum + squaresOf(group), 0) / freedom;
}

/** Sum of the squared deviations from the mean. */
function squaresOf(values: readonly number[]): number {
  const centre = mean([...values]);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
