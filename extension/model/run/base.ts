import * as z from 'zod/mini';
import { machineSchema } from './machine-finding.ts';
import { storageKinds } from './sample.ts';
import { shardSchema } from './shard.ts';

/**
 * Increased when a field changes its meaning or is removed. New optional fields and new experiments do not increase it.
 */
export const schemaVersion = 1;

export const environmentSchema = z.object({
  chromium: z.object({ version: z.string(), path: z.string(), flags: z.array(z.string()) }),
  node: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  /** How the slow device was built, for people: back end, file system, read-ahead. */
  storage: z.string(),
  /** Smallest step of performance.now() observed in the page, ms; null when not measured. */
  timerStepMs: z.nullable(z.number()),
});
export type Environment = z.infer<typeof environmentSchema>;

/** Wall time of a run, ms. */
export const timeSpentSchema = z.object({
  totalMs: z.number(),
  /** Inside timed reads only. */
  measuringMs: z.number(),
});

/** Repeated direct reads of the device: the check of its delay. */
export const delayProofSchema = z.object({
  storage: z.enum(storageKinds),
  /** Name of the variant that the disk belongs to; absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Requested delay per read, ms. */
  requestedDelayMs: z.number(),
  when: z.enum(['before', 'after']),
  /** Number of direct 4 KiB reads. */
  reads: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  /** Sequential 1 MiB direct reads, bytes per second; null when not measured. */
  throughputBytesPerSecond: z.nullable(z.number()),
  /** True when the measured delay differs from the requested one by more than max(1 ms, 20 %). */
  off: z.boolean(),
  takenAt: z.string(),
});
export type DelayProof = z.infer<typeof delayProofSchema>;

const fields = {
  schemaVersion: z.literal(schemaVersion),
  tool: z.object({ name: z.literal('cachescope'), version: z.string() }),
  status: z.enum(['running', 'complete', 'partial', 'failed']),
  /** Why the run is partial or failed; absent otherwise. */
  statusReason: z.optional(z.string()),
  startedAt: z.string(),
  endedAt: z.optional(z.string()),
  commandLine: z.array(z.string()),
  /** Each time an interrupted run was resumed: the time, and the number of samples at that time. */
  resumed: z.optional(z.array(z.object({ at: z.string(), samples: z.number() }))),
  environment: environmentSchema,
  /** Checks of the device's delay, in the order taken. */
  proofs: z.array(delayProofSchema),
  timeSpent: z.optional(timeSpentSchema),
  /** Findings of the machine checks; absent when none ran. */
  machine: z.optional(machineSchema),
  /** Warnings for readers of the result, in sentences. */
  warnings: z.array(z.string()),
  /** The part of a plan that this run took; absent: the run took the whole plan. */
  shard: z.optional(shardSchema),
};

/** The fields of run.json that all experiments share. Each experiment adds its name and its own fields. */
export const runBaseSchema = z.object({
  ...fields,
  /** The shards that this run was merged from, each with its run.json, by number; absent: the run was not merged. */
  merged: z.optional(
    z.object({ shards: z.array(z.looseObject({ ...fields, shard: shardSchema })) }),
  ),
});
export type RunBase = z.infer<typeof runBaseSchema>;
