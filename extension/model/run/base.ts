import * as z from 'zod/mini';
import { machineSchema } from './machine-finding.ts';
import { storageKinds } from './sample.ts';
import { shardSchema } from './shard.ts';

/** Raised when a field changes its meaning or goes away. Added optional fields and new experiments do not raise it. */
export const schemaVersion = 1;

export const environmentSchema = z.object({
  chromium: z.object({ version: z.string(), path: z.string(), flags: z.array(z.string()) }),
  node: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  /** How the slow device was made, for people: back end, file system, read-ahead. */
  storage: z.string(),
  /** Smallest step of performance.now() seen in the page, ms; null when not measured. */
  timerStepMs: z.nullable(z.number()),
});
export type Environment = z.infer<typeof environmentSchema>;

/** Share of a run's wall time by what it went to, ms. */
export const timeSpentSchema = z.object({
  totalMs: z.number(),
  /** Inside timed reads only. */
  measuringMs: z.number(),
});

/** A direct read of the device, repeated: the proof of its delay. */
export const delayProofSchema = z.object({
  storage: z.enum(storageKinds),
  /** Name of the variant whose disk it is; absent in a run without variants. */
  variant: z.optional(z.string()),
  /** ms per read, as asked. */
  requestedDelayMs: z.number(),
  when: z.enum(['before', 'after']),
  /** Number of direct 4 KiB reads. */
  reads: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  /** Sequential 1 MiB direct reads, bytes per second; null when not measured. */
  throughputBytesPerSecond: z.nullable(z.number()),
  /** Off by more than max(1 ms, 20 %) of the delay asked for. */
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
  /** Each time an interrupted run was resumed: when, and how many samples there were. */
  resumed: z.optional(z.array(z.object({ at: z.string(), samples: z.number() }))),
  environment: environmentSchema,
  /** Proofs of the device's delay, in the order taken. */
  proofs: z.array(delayProofSchema),
  timeSpent: z.optional(timeSpentSchema),
  /** What was found of the machine; absent when nobody looked. */
  machine: z.optional(machineSchema),
  /** Things a reader of the result must know, in sentences. */
  warnings: z.array(z.string()),
  /** The part of a plan that this run is; absent: the run is a whole plan. */
  shard: z.optional(shardSchema),
};

/** What run.json holds whatever the experiment is. Each experiment extends it with its name and what it adds. */
export const runBaseSchema = z.object({
  ...fields,
  /** The shards that this run was merged from, each with its run.json, by number; absent: the run was not merged. */
  merged: z.optional(
    z.object({ shards: z.array(z.looseObject({ ...fields, shard: shardSchema })) }),
  ),
});
export type RunBase = z.infer<typeof runBaseSchema>;
