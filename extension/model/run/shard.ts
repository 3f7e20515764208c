import * as z from 'zod/mini';

/** Which part of a plan: `number` counts from 1 to `count`. */
export interface ShardPlace {
  number: number;
  count: number;
}

/** Maximum number of shards of a plan. */
export const mostShards = 10_000;

/** The part of a plan that one run takes, while other machines take the other parts. Saved in its run.json. */
export const shardSchema = z
  .object({
    /** Identifies the whole plan: all shards of one plan have the same id. */
    planId: z.string(),
    /** 1 to `count`. */
    number: z.int().check(z.minimum(1)),
    count: z.int().check(z.minimum(1), z.maximum(mostShards)),
    /** Name of the machine: CACHESCOPE_MACHINE, or the host name. */
    machine: z.string().check(z.maxLength(255)),
    /** Linux's id of the running kernel: containers on one machine share it. null: unknown. */
    bootId: z.nullable(z.string()),
    /** When the plan was written to a file, ISO 8601; null: the plan was given on the command line. */
    plannedAt: z.nullable(z.string()),
    /** The experiment's whole plan, of which this run's plan is a part. */
    whole: z.record(z.string(), z.unknown()),
  })
  .check(z.refine(({ number, count }) => number <= count, 'number is above count'));
export type Shard = z.infer<typeof shardSchema>;

/**
 * Launches, or other units, that one shard takes of `total`: those whose number, from 0, has the remainder `number` - 1
 * when divided by `count`.
 */
export function shareOf(total: number, { number, count }: ShardPlace): number {
  return Math.floor(total / count) + (number - 1 < total % count ? 1 : 0);
}

/** A prime larger than the passes of any plan, so that no two shards draw their orders from the same seed. */
const seedStep = 1_000_003;

/** The seed that one shard draws its random orders from. */
export function shardSeed(seed: number, { number }: ShardPlace): number {
  return (seed + (number - 1) * seedStep) % 2 ** 32;
}

/**
 * Converts a shard's own number (of a launch, a pass, a position in the run) to the number in the whole plan, which no
 * other shard has.
 */
export function inWhole(own: number, { number, count }: ShardPlace): number {
  return own * count + number - 1;
}

/** Number of the shard that a number of the whole plan belongs to. */
export function shardOf(whole: number, count: number): number {
  return (whole % count) + 1;
}

/** Converts a number of the whole plan to the shard's own number. */
export function inShard(whole: number, count: number): number {
  return Math.floor(whole / count);
}
