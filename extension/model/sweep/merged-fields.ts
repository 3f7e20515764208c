import { least } from '../extremes.ts';
import { median } from '../statistics/quantile.ts';
import type { CodingCost, SweepRun } from './run.ts';

/** Fields of a merged sweep that are neither those of one shard nor the lists of all, from the shards' own runs. */
export function mergedSweepFields(
  whole: SweepRun['plan'],
  runs: readonly Pick<SweepRun, 'plan' | 'codingCosts'>[],
): Pick<SweepRun, 'plan' | 'codingCosts'> {
  const { recompress, ...without } = whole;
  const costs = runs.flatMap(({ codingCosts }) => codingCosts ?? []);
  return {
    // A shard leaves the series out where its browser lacks it.
    plan: recompress && !runs.some(({ plan }) => plan.recompress) ? without : whole,
    ...(costs.length > 0 && { codingCosts: costsOfAll(costs) }),
  };
}

/** One cost for each workload and coding: medians of the shards. */
function costsOfAll(costs: readonly CodingCost[]): CodingCost[] {
  const groups = Map.groupBy(costs, ({ workload, coding }) => JSON.stringify([workload, coding]));
  return [...groups.values()].map((same) => {
    const middle = (of: (cost: CodingCost) => number) => median(same.map(of)) ?? Number.NaN;
    return {
      ...(same[0] as CodingCost),
      encodedBytes: middle(({ encodedBytes }) => encodedBytes),
      runs: least(same.map(({ runs }) => runs)),
      encodeMs: middle(({ encodeMs }) => encodeMs),
      decodeMs: middle(({ decodeMs }) => decodeMs),
    };
  });
}
