import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Shard, ShardPlace } from '@cachescope/model/run/shard.ts';
import { usageError } from '../error.ts';
import type { Experiment, Kinds } from '../experiments/experiment.ts';
import { planContent, type PlanFile, planIdOf, requireSamePlan } from './plan-file.ts';

const bootIdFile = '/proc/sys/kernel/random/boot_id';

/** This machine's identity in a shard. */
export function thisMachine(): Pick<Shard, 'machine' | 'bootId'> {
  const bootId = existsSync(bootIdFile) ? readFileSync(bootIdFile, 'utf8').trim() : null;
  return { machine: process.env['CACHESCOPE_MACHINE'] || hostname(), bootId };
}

/** The plan that this run takes: the whole, or the part of a shard, with the shard's entry for run.json. */
export interface Division<Planned> {
  planned: Planned;
  shard?: Shard;
}

/**
 * Returns one shard's part of a plan; without a shard, all of it.
 *
 * @throws CachescopeError CS_PLANS_DIFFER where this machine makes another plan than the file; CS_USAGE where the plan
 * cannot be divided in this way.
 */
export function divided<K extends Kinds>(
  experiment: Experiment<K>,
  planned: K['planned'],
  place: ShardPlace | undefined,
  file: PlanFile | null,
): Division<K['planned']> {
  const { shards } = experiment;
  const made = planContent(
    experiment.command ?? experiment.name,
    planned.plan,
    shards?.beside?.(planned),
  );
  if (file) requireSamePlan(file, made);
  if (!place) return { planned };
  requireDivisible(experiment, planned, place);
  const shard = {
    planId: planIdOf(made),
    ...place,
    ...thisMachine(),
    plannedAt: file?.plannedAt ?? null,
    whole: made.plan,
  };
  const plan = shards?.part(planned.plan, place);
  return { planned: { ...planned, plan }, shard };
}

/**
 * Refuses a plan that cannot be divided into this many shards.
 *
 * @throws CachescopeError CS_USAGE.
 */
export function requireDivisible<K extends Kinds>(
  { name, shards }: Experiment<K>,
  { plan }: K['planned'],
  { count }: Pick<ShardPlace, 'count'>,
): void {
  const launches = shards?.launches(plan) ?? 0;
  const obstacle = shards
    ? (shards.obstacle?.(plan) ?? null)
    : `${name} is one measurement from start to end and has no launches to divide; start it on each machine by itself`;
  if (obstacle !== null) throw usageError([obstacle]);
  if (count <= launches) return;
  throw usageError([
    `${count} shards for ${launches} launches: every shard needs a launch of every arm and delay; plan at least ${count} launches (--launches, or --rounds) or take fewer shards`,
  ]);
}
