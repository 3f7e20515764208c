import * as z from 'zod/mini';
import { codings } from './coding.ts';
import { sampleSchema, storageKinds } from './sample.ts';

/** Raised when a field changes its meaning or goes away. Added optional fields do not raise it. */
export const schemaVersion = 1;

/** A direct read of the device, repeated: the proof of its delay. */
export const delayProofSchema = z.object({
  storage: z.enum(storageKinds),
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

/** How an arm's response lay in the cache before the reads began. */
export const storedEntrySchema = z.object({
  arm: z.enum(codings),
  /** Path and query of the resource on the origin. */
  url: z.string(),
  /** Body bytes that crossed the wire when the cache was filled. */
  wireBytes: z.number(),
  /** Size of the cache entry's file; null when it could not be found (unknown). */
  storedBytes: z.nullable(z.number()),
  decodedBytes: z.number(),
});
export type StoredEntry = z.infer<typeof storedEntrySchema>;

export const sweepPlanSchema = z.object({
  arms: z.array(z.enum(codings)),
  /** Read delays of the slow device, ms, ascending; the control comes first and is not listed. */
  delaysMs: z.array(z.number()),
  storage: z.enum(storageKinds),
  delayWrites: z.boolean(),
  samplesPerCell: z.number(),
  launchesPerPoint: z.number(),
  seed: z.number(),
  workload: z.object({
    name: z.string(),
    /** Where the bytes come from, for example `pdfjs-dist 5.3.31 -> 5.4.54`. */
    title: z.string(),
    resourceBytes: z.number(),
    resourceSha256: z.string(),
    dictionaryBytes: z.number(),
  }),
});
export type SweepPlan = z.infer<typeof sweepPlanSchema>;

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

export const runSchema = z.object({
  schemaVersion: z.literal(schemaVersion),
  tool: z.object({ name: z.literal('cachescope'), version: z.string() }),
  experiment: z.literal('sweep'),
  status: z.enum(['running', 'complete', 'partial', 'failed']),
  /** Why the run is partial or failed; absent otherwise. */
  statusReason: z.optional(z.string()),
  startedAt: z.string(),
  endedAt: z.optional(z.string()),
  commandLine: z.array(z.string()),
  plan: sweepPlanSchema,
  environment: environmentSchema,
  stored: z.array(storedEntrySchema),
  proofs: z.array(delayProofSchema),
  timeSpent: z.optional(timeSpentSchema),
  /** Things a reader of the result must know, in sentences. */
  warnings: z.array(z.string()),
});
export type Run = z.infer<typeof runSchema>;

/** A run with its samples in one document: what report.html embeds and the panel opens. */
export const runDocumentSchema = z.object({ run: runSchema, samples: z.array(sampleSchema) });
export type RunDocument = z.infer<typeof runDocumentSchema>;
