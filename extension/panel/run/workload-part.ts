import type { Sample } from '@cachescope/model/run/sample.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import type { Series, SeriesPair } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';

/** The part of a run that measured one workload. */
export interface WorkloadPart {
  /** undefined: the run has only this workload. */
  name: string | undefined;
  title: string;
  summary: SweepSummary;
  samples: readonly Sample[];
}

/** Splits a run by workload. Series do not name their workload in a part; its heading does. */
export function workloadParts(
  { plan }: SweepRun,
  summary: SweepSummary,
  samples: readonly Sample[],
): WorkloadPart[] {
  const { workload, workloads } = plan;
  if (!workloads) return [{ name: undefined, title: workload.title, summary, samples }];
  return workloads.map(({ name, title }) => ({
    name,
    title,
    summary: partOf(summary, name),
    samples: samples
      .filter(({ cell }) => cell.workload === name)
      .map((sample) => ({ ...sample, cell: unnamed(sample.cell) })),
  }));
}

function partOf(summary: SweepSummary, name: string): SweepSummary {
  const own = <Item extends Series>(items: readonly Item[]): Item[] =>
    items.filter(({ workload }) => workload === name).map((item) => unnamed(item));
  const ownPairs = <Item extends SeriesPair>(pairs: readonly Item[]): Item[] =>
    pairs
      .filter(({ of }) => of.workload === name)
      .map((pair) => ({ ...pair, of: unnamed(pair.of), against: unnamed(pair.against) }));
  return {
    ...summary,
    ...(summary.machines && { machines: ownPairs(summary.machines) }),
    fits: own(summary.fits),
    points: summary.points.map((point) => ({
      ...point,
      arms: own(point.arms),
      gaps: ownPairs(point.gaps),
    })),
  };
}

/** The same series without the name of its workload. */
export function unnamed<Item extends Series>(named: Item): Item {
  const { workload: _, ...item } = named;
  return item as Item;
}
