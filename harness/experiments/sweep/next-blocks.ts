import { type Cell, cellKey } from '@cachescope/model/run/sample.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { NextStep } from '../../lab/sampling.ts';
import { interleave, shareOfPass, withoutTaken } from '../../lab/schedule.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import { missingConfirmations, type SweepBlock, type SweepInProgress } from './block.ts';
import { cellsAt, controlSitesOf, type LaunchSite, slowSitesOf } from './points.ts';

/** The part of a sweep in progress that decides which blocks come next. */
type Progress = Pick<SweepInProgress, 'plan' | 'run' | 'samples'>;

/**
 * The blocks that a step takes: first those of earlier passes that an interrupt left without a first load or a
 * confirmation read, then those of its own pass.
 */
export function nextBlocks(sweep: Progress, step: NextStep): SweepBlock[] {
  const { launchesPerPoint } = sweep.plan;
  const before = step.action === 'take' ? Math.min(step.pass, launchesPerPoint) : launchesPerPoint;
  const earlier = Array.from({ length: before }, (_, pass) => blocksOf(sweep, pass, new Map()));
  const own = step.action === 'take' ? blocksOf(sweep, step.pass, step.samples) : [];
  return [...earlier.flat(), ...own];
}

/** The blocks of a pass that lacks this many timed reads of each named cell. */
function blocksOf(
  sweep: Progress,
  pass: number,
  lacking: ReadonlyMap<string, number>,
): SweepBlock[] {
  const { plan, run } = sweep;
  const isPromised = pass < plan.launchesPerPoint;
  const share = isPromised ? shareOfPass(plan.samplesPerCell, plan.launchesPerPoint, pass) : 0;
  const missing = (key: string) => lacking.get(key) ?? 0;
  const [controls, slow] = [controlSitesOf(plan), slowSitesOf(plan)];
  // The first results on screen are of the first variant: the control and, in the crossed design, one launch on the slow
  // device. Every shard has a first pass, so in shards the first variant would open most passes of the plan.
  const isOpening = pass === 0 && run.shard === undefined;
  const blocks = interleave<LaunchSite, Cell>({
    pass,
    opening: isOpening ? [...controls.slice(0, 1), ...slow.slice(0, plan.crossed ? 1 : 0)] : [],
    first: controls,
    points: slow,
    wantedAt: ({ points }) =>
      points
        .flatMap((point) => cellsAt(plan, point))
        .map((cell) => ({ cell, samples: isPromised ? share : missing(cellKey(cell)) })),
    groupOf: ({ delayMs }) => delayMs,
    // Each pass has its own seed, so that a resumed run continues as the interrupted run would have.
    random: createRandom(plan.seed + pass),
  });
  const taken = (key: string) => (isPromised ? share - missing(key) : 0);
  return blocks
    .map((block) => withoutTaken(block, cellKey, taken))
    .filter((block) => block.cells.length > 0 || lacksOthers(sweep, block));
}

/** Whether a block lacks confirmation reads or first loads. */
function lacksOthers(sweep: Progress, { point: { points }, pass }: SweepBlock): boolean {
  return points.some(
    (point) =>
      missingConfirmations(sweep, point, pass).length > 0 ||
      missingFirstLoads(sweep, point, pass).length > 0,
  );
}
