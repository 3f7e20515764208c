import { cellKey } from '../run/sample.ts';
import {
  leastMachines,
  type MachineReading,
  type PooledEffect,
  pooledEffect,
} from './machine-effect.ts';
import { costsByReads, type MachineVariance, machineVariance } from './machine-variance.ts';
import type { Place, SweepReads } from './reads.ts';
import type { SweepRun } from './run.ts';
import { pairsOf, type SeriesPair, seriesName } from './series.ts';

/** The difference of two series at one point, on each machine and over all machines. */
export interface MachineGap extends SeriesPair, Place {
  pooled: PooledEffect;
  /** null: unknown, because a source cannot be separated or the series do not share their launches. */
  variance: MachineVariance | null;
}

/** The gaps of a merged run by machine; empty for a run that was not merged. */
export function machineGaps(
  { plan, merged }: Pick<SweepRun, 'plan' | 'merged'>,
  places: readonly Place[],
  reads: SweepReads,
): MachineGap[] {
  if (!merged) return [];
  const costOf = costsByReads(reads.launchTimes);
  return places.flatMap((place) =>
    pairsOf(plan).flatMap((pair) => {
      const readings = (series: SeriesPair['of']): MachineReading[] => {
        const where = { storage: place.storage, delayMs: place.requestedDelayMs };
        return reads.cells.get(cellKey({ ...series, ...where }))?.machineReadings() ?? [];
      };
      const [of, against] = [readings(pair.of), readings(pair.against)];
      const pooled = pooledEffect(of, against);
      if (!pooled) return [];
      return [{ ...pair, ...place, pooled, variance: machineVariance(of, against, costOf) }];
    }),
  );
}

/** The machines for which the results are valid, in sentences. Empty without machines. */
export function machineSentences(gaps: readonly MachineGap[]): string[] {
  const names = [
    ...new Set(gaps.flatMap(({ pooled }) => pooled.machines.map(({ machine }) => machine))),
  ];
  const [first] = gaps;
  if (!first) return [];
  const scope =
    names.length < leastMachines
      ? `Effects hold for ${names.length === 1 ? 'this machine' : 'these machines'} only (${names.join(', ')}): ${leastMachines} machines or more are needed for an interval that holds for others.`
      : `Effects over ${names.length} machines hold for any machine of their kind (Student's t over machines, ${names.length - 1} degrees of freedom); all other intervals hold for these machines.`;
  return [scope, ...gaps.filter(disagrees).map(disagreement)];
}

/** 75 % of the variance between machines is not due to chance: Higgins and others 2003 call it high. */
const highHeterogeneity = 0.75;

function disagrees({ pooled: { heterogeneity } }: MachineGap): boolean {
  return (heterogeneity ?? 0) >= highHeterogeneity;
}

function disagreement({ of, against, storage, requestedDelayMs, pooled }: MachineGap): string {
  const effects = pooled.machines.toSorted((a, b) => a.relative - b.relative);
  const [least, most] = [effects[0], effects.at(-1)];
  const where = storage === 'none' ? 'the control' : `${requestedDelayMs} ms`;
  const said = [least, most].flatMap((each) =>
    each ? [`${signedPercent(each.relative)} on ${each.machine}`] : [],
  );
  return `Machines disagree on ${seriesName(of)} against ${seriesName(against)} at ${where}: ${said.join(', ')} (I² ${Math.round(100 * (pooled.heterogeneity ?? 0))} %).`;
}

/** `+12.3 %`. */
export function signedPercent(share: number): string {
  const text = (100 * share).toFixed(1);
  return `${Number(text) >= 0 ? '+' : ''}${text} %`;
}
