import * as z from 'zod/mini';
import { machineSchema } from './machine-finding.ts';
import { machineLoadSchema } from './machine-load.ts';
import { storageKinds } from './sample.ts';
import { shardSchema } from './shard.ts';

/**
 * Increased when a field changes its meaning or is removed. New optional fields and new experiments do not increase it.
 */
export const schemaVersion = 1;

/** The machine and the browser of a run, as found when it began. */
export const environmentSchema = z.object({
  /** The browser: `Chrome/156.0.8078.79`, the path of its binary, and all its switches. With variants, the first one. */
  chromium: z.object({ version: z.string(), path: z.string(), flags: z.array(z.string()) }),
  /** Version of Node, which runs the harness and the origin. */
  node: z.string(),
  /** Release and build of the kernel, as `uname -rv` prints them. */
  kernel: z.string(),
  /** Name and version of the distribution; `unknown` when it cannot be found. */
  os: z.string(),
  /** Model of the processor; `unknown` when it cannot be found. */
  cpu: z.string(),
  /** Logical processors that the harness may use. */
  cores: z.number(),
  /** All of the machine's memory, bytes. */
  memoryBytes: z.number(),
  /** How the slow device was built, for people: back end, file system, read-ahead. */
  storage: z.string(),
  /** The emulated link between clients and servers, as typed; absent: there was none, or several (`transfer`). */
  link: z.optional(z.string()),
  /** Smallest step of performance.now() observed in the page, ms; null when not measured. */
  timerStepMs: z.nullable(z.number()),
});
export type Environment = z.infer<typeof environmentSchema>;

/** Wall time of a run, ms; of a merged run the sum over its shards. */
export const timeSpentSchema = z.object({
  /** From the start to the end, without the pause before a run was resumed. */
  totalMs: z.number(),
  /** Inside timed reads only. A read whose time is unknown adds nothing, so this is a lower bound. */
  measuringMs: z.number(),
});

/** Size of the direct reads that measure a device's throughput. Each waits for the device's delay once. */
export const throughputReadBytes = 1024 * 1024;

/** Repeated direct reads of the device: the check of its delay. */
export const delayProofSchema = z.object({
  storage: z.enum(storageKinds),
  /** Name of the variant that the disk belongs to; absent in a run without variants. */
  variant: z.optional(z.string()),
  /** Requested delay per read, ms. */
  requestedDelayMs: z.number(),
  /** Whether it was taken before or after the samples. */
  when: z.enum(['before', 'after']),
  /** Number of direct 4 KiB reads. */
  reads: z.number(),
  /** Median and 95th percentile of these reads, ms. */
  p50Ms: z.number(),
  p95Ms: z.number(),
  /** Sequential direct reads of 1 MiB with their delays, bytes per second; null when not measured. */
  throughputBytesPerSecond: z.nullable(z.number()),
  /** True when the measured delay differs from the requested one by more than max(1 ms, 20 %). */
  off: z.boolean(),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
});
export type DelayProof = z.infer<typeof delayProofSchema>;

const fields = {
  schemaVersion: z.literal(schemaVersion),
  /** The program that wrote the file. */
  tool: z.object({ name: z.literal('cachescope'), version: z.string() }),
  /** `running` in a file of an ended program: it was killed. */
  status: z.enum(['running', 'complete', 'partial', 'failed']),
  /** Why the run is partial or failed; absent otherwise. */
  statusReason: z.optional(z.string()),
  /** ISO 8601, UTC; `endedAt` is absent while the run is in progress. */
  startedAt: z.string(),
  endedAt: z.optional(z.string()),
  /** The command and its words, without the program. */
  commandLine: z.array(z.string()),
  /** Each time an interrupted run was resumed: the time, and the number of samples at that time. */
  resumed: z.optional(z.array(z.object({ at: z.string(), samples: z.number() }))),
  environment: environmentSchema,
  /** Checks of the device's delay, in the order taken. */
  proofs: z.array(delayProofSchema),
  /** Absent until the first update of the file. */
  timeSpent: z.optional(timeSpentSchema),
  /** Findings of the machine checks; absent when none ran. */
  machine: z.optional(machineSchema),
  /** What the machine did while measurements were taken, in order; absent: not recorded, as in older runs. */
  machineLoad: z.optional(z.array(machineLoadSchema)),
  /** Warnings for readers of the result, in sentences. */
  warnings: z.array(z.string()),
  /**
   * Number of lines in the file of measurements, such as samples, when the run ended; a file with fewer is not whole.
   * Absent: the run has not ended, or an older version took it.
   */
  lineCount: z.optional(z.number()),
  /** Parts of the plan that this machine could not take: `cold loads`; absent: none. */
  leftOut: z.optional(z.array(z.string())),
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
