import { shardSeed, type ShardPlace, shareOf } from '@cachescope/model/run/shard.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { shareOfLaunches } from '../../lab/schedule.ts';

/** How a sweep is divided over machines: each takes every n-th pass over all cells. */
export const sweepShards = {
  launches: ({ launchesPerPoint }: SweepPlan): number => launchesPerPoint,
  part(plan: SweepPlan, shard: ShardPlace): SweepPlan {
    const { samplesPerCell, launchesPerPoint, seed } = plan;
    return {
      ...plan,
      launchesPerPoint: shareOf(launchesPerPoint, shard),
      samplesPerCell: shareOfLaunches(samplesPerCell, launchesPerPoint, shard),
      seed: shardSeed(seed, shard),
    };
  },
  obstacle: ({ stopRule }: SweepPlan): string | null =>
    stopRule
      ? '--precision decides from all samples, and a shard sees only its own; name --samples and --launches'
      : null,
};
