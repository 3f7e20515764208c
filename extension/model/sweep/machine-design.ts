import { median } from '../statistics/quantile.ts';
import { defaultConfidence } from '../statistics/interval.ts';
import { studentCritical } from '../statistics/student-t.ts';
import type { SweepReads } from './reads.ts';
import { leastMachines } from './machine-effect.ts';
import type { MachineDesign, VarianceComponents } from './saved-summary.ts';

/** Time that launches and reads take, from the samples' clock. */
export interface LaunchCost {
  /** From the last read of a launch to the first of the next, ms. */
  launchMs: number;
  /** One read of everything that a launch reads, ms. */
  roundMs: number;
}

/** Largest design that is considered. */
const most = { machines: 1000, launches: 50, reads: 50 };

/** Half the width of the mean's interval, on the scale of the components (Student's t over machines). */
export function halfWidth(
  { machine, launch, read }: VarianceComponents,
  { machines, launches, reads }: Omit<MachineDesign, 'machineTimeMs'>,
): number {
  const variance = machine + (launch + read / reads) / launches;
  return critical(machines) * Math.sqrt(variance / machines);
}

const criticals = new Map<number, number>();

function critical(machines: number): number {
  const known = criticals.get(machines) ?? studentCritical(defaultConfidence, machines - 1);
  criticals.set(machines, known);
  return known;
}

/**
 * The design with the least machine time whose interval is half as wide as that of `now`. null: none has at most 1,000
 * machines with 50 launches of 50 reads, or the interval has no width.
 */
export function halvingDesign(
  components: VarianceComponents,
  now: Omit<MachineDesign, 'machineTimeMs'>,
  cost: LaunchCost,
): MachineDesign | null {
  const target = halfWidth(components, now) / 2;
  if (!(target > 0)) return null;
  let best: MachineDesign | null = null;
  for (let launches = 2; launches <= most.launches; launches++)
    for (let reads = 1; reads <= most.reads; reads++) {
      const machines = fewestMachines(components, launches, reads, target);
      if (machines === null) continue;
      const design = { machines, launches, reads };
      const machineTimeMs = machineTimeOf(design, cost);
      if (best === null || machineTimeMs < best.machineTimeMs) best = { ...design, machineTimeMs };
    }
  return best;
}

/** Machine time of a design, ms. */
export function machineTimeOf(
  { machines, launches, reads }: Omit<MachineDesign, 'machineTimeMs'>,
  { launchMs, roundMs }: LaunchCost,
): number {
  return machines * launches * (launchMs + reads * roundMs);
}

/** The width falls with every machine, so the fewest are found by halving the range. */
function fewestMachines(
  components: VarianceComponents,
  launches: number,
  reads: number,
  target: number,
): number | null {
  const isEnough = (machines: number) =>
    halfWidth(components, { machines, launches, reads }) <= target;
  let [low, high] = [leastMachines, most.machines];
  if (!isEnough(high)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Typical cost over all launches of all machines, by the number of reads of each cell in a launch; null when the times
 * do not show it, for example with one launch on each machine.
 */
export function launchCosts(
  times: SweepReads['launchTimes'],
): (readsPerCell: number) => LaunchCost | null {
  const steps: number[] = [];
  const pauses: number[] = [];
  const sizes: number[] = [];
  for (const own of times.values()) {
    const launches = [...own.values()].toSorted((a, b) => a.first - b.first);
    for (const [place, { first, last, count }] of launches.entries()) {
      sizes.push(count);
      if (count > 1) steps.push((last - first) / (count - 1));
      const before = launches[place - 1];
      if (before) pauses.push(first - before.last);
    }
  }
  const [stepMs, pauseMs, size] = [median(steps), median(pauses), median(sizes)];
  return (readsPerCell) => {
    if (stepMs === null || pauseMs === null || size === null) return null;
    const roundMs = (stepMs * size) / readsPerCell;
    const launchMs = Math.max(0, pauseMs - stepMs);
    return roundMs > 0 ? { launchMs, roundMs } : null;
  };
}
