import { dictionaryCodings } from '@cachescope/model/coding.ts';
import { type Cell, cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import { baselineArm, variantsOf } from '@cachescope/model/sweep/series.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { doneOf } from '../../lab/sampling.ts';
import { isReversed } from '../../lab/schedule.ts';
import { cellsAt, type Point } from '../sweep/points.ts';

/**
 * The first loads that a pass still lacks at a point: of the first workload, one without a dictionary and one with a
 * dictionary. There is one of each per launch: Chromium keeps a dictionary in memory once it has read it, so a second
 * load would not read it from disk. Empty for a plan without first loads, in all variants but the first, at a profile, and
 * in passes that a stop rule adds.
 */
export function missingFirstLoads(
  { plan, samples }: { plan: SweepPlan; samples: readonly Sample[] },
  point: Point,
  pass: number,
): Cell[] {
  if (!plan.firstLoads || pass >= plan.launchesPerPoint || point.profile !== undefined) return [];
  if (point.variant !== variantsOf(plan)[0]?.name) return [];
  const dictionary = dictionaryCodings.find((arm) => plan.arms.includes(arm));
  const arms = new Set([baselineArm(plan), dictionary]);
  const [workload] = plan.workloads ?? [];
  const taken = samples.filter((sample) => sample.kind === 'first load' && sample.pass === pass);
  const byCell = Map.groupBy(taken, ({ cell }) => cellKey(cell));
  const isDone = (cell: Cell) => doneOf(byCell.get(cellKey(cell)) ?? [], 1) > 0;
  const wanted = cellsAt(plan, point).filter(
    (cell) => cell.workload === workload?.name && arms.has(cell.arm) && !isDone(cell),
  );
  // The order alternates, so that the cost of the first load in a launch falls on both equally.
  return isReversed(plan, pass) ? wanted.toReversed() : wanted;
}
