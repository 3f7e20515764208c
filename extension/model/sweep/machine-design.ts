import { median } from '../statistics/quantile.ts';
import { defaultConfidence } from '../statistics/interval.ts';
import { studentCritical } from '../statistics/student-t.ts';
import type { SweepReads } from './reads.ts';
import { leastMachines } from './machine-effect.ts';
import type { MachineDesign, VarianceComponents } from './saved-summary.ts';

/**
 * Time of one pass on one machine, from the samples' clock. A pass launches every cell once; one launch may read many
 * cells, and a pass has several: of the control and the slow disk, of each variant, and of each delay where delays are
 * not crossed.
 */
export interface PassCost {
  /** From the last read of a launch to the first of the next, over all launches of a pass, ms. */
  startsMs: number;
  /** One read of every cell, ms. */
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
  cost: PassCost,
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
  { startsMs, roundMs }: PassCost,
): number {
  return machines * launches * (startsMs + reads * roundMs);
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
 * Cost of a pass at a size of the run, by the median read and the median start over all launches of all machines; null
 * when the times do not show it, for example with one launch on each machine.
 */
export function passCosts(
  times: SweepReads['launchTimes'],
): (size: Omit<MachineDesign, 'machineTimeMs'>) => PassCost | null {
  const steps: number[] = [];
  const pauses: number[] = [];
  let [launches, reads] = [0, 0];
  for (const own of times.values()) {
    const inOrder = [...own.values()].toSorted((a, b) => a.first - b.first);
    for (const [place, { first, last, count }] of inOrder.entries()) {
      launches++;
      reads += count;
      if (count > 1) steps.push((last - first) / (count - 1));
      const before = inOrder[place - 1];
      if (before) pauses.push(first - before.last);
    }
  }
  const [stepMs, pauseMs] = [median(steps), median(pauses)];
  return (size) => {
    if (stepMs === null || pauseMs === null) return null;
    const passes = size.machines * size.launches;
    const roundMs = (stepMs * reads) / passes / size.reads;
    const startsMs = (Math.max(0, pauseMs - stepMs) * launches) / passes;
    return roundMs > 0 && Number.isFinite(roundMs) ? { startsMs, roundMs } : null;
  };
}
